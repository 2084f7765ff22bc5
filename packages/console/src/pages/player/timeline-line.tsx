import { Group, Text } from '@mantine/core';
import { useCode } from '../../text/use-code.ts';
import { To } from '../../ui/to.tsx';
import { State } from '../../ui/values.tsx';
import { lineOf, type TimelineEntry } from './timeline-words.ts';

interface LineProps {
  entry: TimelineEntry;
  userId: string;
}

/** What happened, in one line. */
export function Line({ entry, userId }: LineProps) {
  const nameOf = useCode();
  const { kind, what, codes = [], state, why, link } = lineOf(entry, userId);
  return (
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
        {what ?? codes.map((code) => nameOf(code)).join(', ')}
      </Text>
      {state !== undefined && <State of={state} />}
      {why && (
        <Text size="xs" c="dimmed" component="span">
          {nameOf(why)}
        </Text>
      )}
    </Group>
  );
}

/** What brought it about, with a link to it where there is one. */
export function Cause({ entry, userId }: LineProps) {
  const nameOf = useCode();
  const { cause } = lineOf(entry, userId);
  if (cause === undefined || cause.text === '') return null;
  if (cause.link === undefined) return <Text size="sm">{nameOf(cause.text)}</Text>;
  return (
    <To to={cause.link.to} {...(cause.link.search && { search: cause.link.search })}>
      {nameOf(cause.text)}
    </To>
  );
}
