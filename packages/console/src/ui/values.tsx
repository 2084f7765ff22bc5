import { Badge, type MantineColor, Text } from '@mantine/core';
import { useLanguage } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { dayText } from './day/day-text.ts';
import { dateFormat, numberFormat, timeZone } from './formats.ts';
import { useRegion } from './region.ts';

const dayOf = (date: Date): string => date.toDateString();

/** Returns the format of a moment. It has the zone. A moment of today has no date, and a moment of this year has no year. */
function formOf(date: Date, now: Date): Intl.DateTimeFormatOptions {
  const time: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  if (dayOf(date) === dayOf(now)) return { ...time, second: '2-digit' };
  const day: Intl.DateTimeFormatOptions = { ...time, day: 'numeric', month: 'short' };
  return date.getFullYear() === now.getFullYear() ? day : { ...day, year: 'numeric' };
}

/** Writes a moment in the zone of this browser, with the short name of the zone. Pure. */
export const momentText = (date: Date, now: Date, region: string): string =>
  dateFormat(region, formOf(date, now)).format(date);

export function useMomentText(): (at: Date | string | number) => string {
  const region = useRegion();
  return (at) => momentText(new Date(at), new Date(), region);
}

/**
 * Shows a moment of the platform (RFC 3339 in UTC) in the zone of this browser, with the short name of the zone. The title contains
 * the moment in full, with the whole name.
 */
export function Moment({ at }: { at: string | null | undefined }) {
  const region = useRegion();
  const textOf = useMomentText();
  if (at == null) return <>–</>;
  const date = new Date(at);
  const whole = dateFormat(region, { dateStyle: 'full', timeStyle: 'long' }).format(date);
  return (
    <time dateTime={at} title={`${whole}, ${timeZone()} (${at})`} className="nowrap">
      {textOf(date)}
    </time>
  );
}

/** Returns a function that writes a day of the calendar (`1984-01-18`) as the region does. Other texts are returned unchanged. */
export function useDayText(): (text: string) => string {
  const region = useRegion();
  return (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? dayText(text, region) : text);
}

export function useNumber(): (value: number) => string {
  const { language } = useLanguage();
  // Small negative values are rounded to "-0". This option shows them as 0.
  const format = numberFormat(language, { maximumFractionDigits: 1, signDisplay: 'negative' });
  return (value) => format.format(value);
}

/** Returns a length of time in its two largest units, such as `1 h 20 min`. Pure. */
export function durationText(seconds: number, language: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const largest = Math.max(
    0,
    units.findIndex(([, size]) => seconds >= size),
  );
  const parts = units
    .slice(seconds < 1 ? 3 : largest, seconds < 1 ? 4 : largest + 2)
    .map(([unit, size], place, shown) => {
      const above = place === 0 ? Number.POSITIVE_INFINITY : (shown[place - 1]?.[1] ?? 1);
      return [unit, Math.floor((seconds % above) / size)] as const;
    });
  return parts
    .filter(([, count], place) => place === 0 || count > 0)
    .map(([unit, count]) => numberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
    .join(' ');
}

/**
 * Returns a function that formats delays. Up to 10 s they are in milliseconds, above that in larger units: `1,200 ms`,
 * `15 min`.
 */
export function useDelay(): (ms: number) => string {
  const number = useNumber();
  const duration = useDuration();
  return (ms) => (ms < 10_000 ? `${number(ms)} ms` : duration(Math.round(ms / 1_000)));
}

export function useDuration(): (seconds: number) => string {
  const { language } = useLanguage();
  return (seconds) => durationText(seconds, language);
}

const colors: Readonly<Record<string, MantineColor>> = {
  live: 'green',
  ready: 'green',
  current: 'green',
  Approved: 'green',
  allowed: 'green',
  done: 'green',
  goal_reached: 'green',
  in_force: 'green',
  entered: 'green',
  applied: 'green',
  working: 'green',
  succeeded: 'green',
  credited: 'green',
  sent: 'green',
  reinjected: 'green',
  active: 'blue',
  Requested: 'blue',
  computing: 'blue',
  waiting: 'blue',
  running: 'blue',
  held: 'yellow',
  paused: 'yellow',
  warning: 'yellow',
  withheld: 'orange',
  failing: 'red',
  Rejected: 'red',
  unknown: 'orange',
  needs_person: 'red',
  conflict: 'orange',
  open: 'orange',
  failed: 'red',
  critical: 'red',
};

/** Shows a state, with a color for whether it is good or bad. `place` selects one of several meanings of its code. */
export function State({ of, label, place }: { of: string; label?: string; place?: string }) {
  const nameOf = useCode();
  return (
    <Badge variant="dot" color={colors[of] ?? 'gray.6'} tt="none" style={{ minWidth: 'max-content' }}>
      {label ?? nameOf(of, place)}
    </Badge>
  );
}

/** Shows the label of a code of the API. */
export function Named({ of, place }: { of: string | null | undefined; place?: string }) {
  const nameOf = useCode();
  return <>{of == null ? '–' : nameOf(of, place)}</>;
}

/** Shows a state with its reason below it, if it has one. Most rows of the lists have no reason, so it has no separate column. */
export function StateWithReason({ state, reason, place }: { state: string; reason: string | null; place?: string }) {
  const nameOf = useCode();
  return (
    <>
      <State of={state} />
      {reason !== null && (
        <Text component="div" size="xs" c="dimmed" mt={2}>
          {nameOf(reason, place)}
        </Text>
      )}
    </>
  );
}
