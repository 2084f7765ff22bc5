import type { EventKind, Micros } from '@croupier/contracts';

const minute: Micros = 60_000_000;
/** The period is short enough to show the current situation, and long enough to avoid flicker. */
export const rateWindow: Micros = 5 * minute;

export interface MinuteCount {
  minute: Micros;
  kind: EventKind;
  events: number;
}

/**
 * Events per second by kind over the last minutes. Pure.
 *
 * If a brand has just started, its rate is measured from its first minute on, because empty minutes before the start would
 * reduce it. The period is at least one minute, because otherwise the first event would count as one per second.
 */
export function ratesOf(minutes: readonly MinuteCount[], now: Micros): Map<EventKind, number> {
  const recent = minutes.filter((each) => each.minute > now - rateWindow);
  const begin = Math.min(...recent.map((each) => each.minute));
  const seconds = Math.max(minute, now - begin) / 1_000_000;
  const rates = new Map<EventKind, number>();
  for (const { kind, events } of recent) rates.set(kind, (rates.get(kind) ?? 0) + events / seconds);
  return rates;
}

const shownMinutes = 60;

/** Events of all kinds in each of the last 60 minutes, the oldest first, including minutes without events. Pure. */
export function minutesOf(counts: readonly MinuteCount[], now: Micros): { at: Micros; events: number }[] {
  const current = Math.floor(now / minute) * minute;
  const sums = new Map<Micros, number>();
  for (const { minute: at, events } of counts) sums.set(at, (sums.get(at) ?? 0) + Number(events));
  return Array.from({ length: shownMinutes }, (_, place) => {
    const at = current - (shownMinutes - 1 - place) * minute;
    return { at, events: sums.get(at) ?? 0 };
  });
}
