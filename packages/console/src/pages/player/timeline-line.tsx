import { Group, Text } from '@mantine/core';
import { useCode } from '../../text/use-code.ts';
import { useName } from '../../ui/named/use-names.ts';
import { To } from '../../ui/to.tsx';
import { State } from '../../ui/values.tsx';
import { lineOf, type TimelineEntry } from './timeline-words.ts';

interface LineProps {
  entry: TimelineEntry;
  userId: string;
}

/** Shows one entry as one line. */
export function Line({ entry, userId }: LineProps) {
  const nameOf = useCode();
  const { kind, about, what, codes = [], state, why, link } = lineOf(entry, userId);
  const name = useName(about);
  const said = what ?? codes.map((code) => nameOf(code)).join(', ');
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
        {about === undefined ? said : `${name} ${said}`}
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

/** Returns whether the entry has a cause to show. Pure. */
export const hasCause = (entry: TimelineEntry, userId: string): boolean =>
  (lineOf(entry, userId).cause?.text ?? '') !== '';

/** Shows the cause of the entry. If there is a page for the cause, it is a link. */
export function Cause({ entry, userId }: LineProps) {
  const nameOf = useCode();
  const { cause } = lineOf(entry, userId);
  const name = useName(cause?.about);
  if (cause === undefined || cause.text === '') return null;
  const detail = cause.about === undefined ? cause.detail : name;
  const text = [nameOf(cause.text), detail].filter(Boolean).join(' ');
  if (cause.link === undefined) return <Text size="sm">{text}</Text>;
  return (
    <To to={cause.link.to} {...(cause.link.search && { search: cause.link.search })}>
      {text}
    </To>
  );
}
