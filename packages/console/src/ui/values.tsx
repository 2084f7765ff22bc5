import { Badge, type MantineColor } from '@mantine/core';
import { useLanguage } from '../text/text.tsx';

/** A moment of the platform (RFC 3339 in UTC) in the zone of this browser, which is named; the exact text is its title. */
export function Moment({ at }: { at: string | null | undefined }) {
  const { language } = useLanguage();
  if (at == null) return <>–</>;
  const shown = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  }).format(new Date(at));
  return (
    <time dateTime={at} title={`${at} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}>
      {shown}
    </time>
  );
}

export function useNumber(): (value: number) => string {
  const { language } = useLanguage();
  return (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

const colors: Readonly<Record<string, MantineColor>> = {
  live: 'green',
  allowed: 'green',
  done: 'green',
  goal_reached: 'green',
  in_force: 'green',
  entered: 'green',
  applied: 'green',
  working: 'green',
  succeeded: 'green',
  credited: 'green',
  reinjected: 'green',
  active: 'blue',
  computing: 'blue',
  waiting: 'blue',
  running: 'blue',
  held: 'yellow',
  paused: 'yellow',
  warning: 'yellow',
  withheld: 'orange',
  failing: 'red',
  unknown: 'orange',
  needs_person: 'red',
  conflict: 'orange',
  open: 'orange',
  failed: 'red',
  critical: 'red',
};

/** A state in the platform's own word, by a colour that says how good it is. */
export function State({ of, label }: { of: string; label?: string }) {
  return (
    <Badge variant="dot" color={colors[of] ?? 'gray'} tt="none" style={{ minWidth: 'max-content' }}>
      {label ?? of.replaceAll('_', ' ')}
    </Badge>
  );
}
