import { Group, Stack, Text } from '@mantine/core';
import { playerPage } from '../../text/player-page.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { To } from '../../ui/to.tsx';
import { State } from '../../ui/values.tsx';
import { type CauseWords, lineOf, type TimelineEntry } from './timeline-words.ts';
import { useNames } from './use-names.ts';

interface LineProps {
  entry: TimelineEntry;
  userId: string;
}

/** One entry in one line, with its cause below if it is known. */
export function Line({ entry, userId }: LineProps) {
  const nameOf = useCode();
  const naming = useNames();
  const { kind, about, what, codes = [], state, place, why, link, cause } = lineOf(entry, userId);
  const said = what ?? codes.map((code) => nameOf(code)).join(', ');
  return (
    <Stack gap={0}>
      <Group gap="xs" className="timeline-line">
        <Text size="sm" fw={500} component="span">
          {link === undefined ? (
            nameOf(kind)
          ) : (
            <To to={link.to} {...(link.search && { search: link.search })}>
              {nameOf(kind)}
            </To>
          )}
        </Text>
        <Text size="sm" component="span">
          {about === undefined ? said : `${naming(about)} ${said}`}
        </Text>
        {state !== undefined && <State of={state} {...(place && { place })} />}
        {why && (
          <Text size="xs" c="dimmed" component="span">
            {nameOf(why)}
          </Text>
        )}
      </Group>
      {cause !== undefined && cause.text !== '' && <Cause cause={cause} />}
    </Stack>
  );
}

/** What caused the entry, with a link if there is a page for it. */
function Cause({ cause: { text, about, link } }: { cause: CauseWords }) {
  const { timeline: words } = useWords(playerPage);
  const nameOf = useCode();
  const naming = useNames();
  const name = about === undefined ? nameOf(text) : `${nameOf(text)} ${naming(about)}`;
  return (
    <Text size="xs" c="dimmed" className="timeline-line">
      {words.causedBy}:{' '}
      {link === undefined ? (
        name
      ) : (
        <To to={link.to} {...(link.search && { search: link.search })}>
          {name}
        </To>
      )}
    </Text>
  );
}
