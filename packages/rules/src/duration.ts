import type { Micros } from '@croupier/contracts';

/*
 * Durations in rules: ISO 8601 in weeks, days, hours, minutes and seconds. A day is 24 hours, even when the clocks
 * change: "in the last 24 hours" and "in the last day" mean the same. Months and years have no fixed length and are
 * refused.
 */
const pattern = /^P(?=.)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

const second = 1_000_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The shortest and longest duration of a condition: PT1M to P366D. */
export const shortestDuration: Micros = minute;
export const longestDuration: Micros = 366 * day;

/** A cache, because a rule is evaluated for thousands of players and always needs the same few durations. */
const maxRemembered = 2_000;
const known = new Map<string, Micros | undefined>();
/** Every valid duration is at most this long. Longer texts are not cached, because a request can contain any text. */
const maxLength = 40;

/** @returns the length in microseconds; undefined if the text is not such a duration */
export function readDuration(text: string): Micros | undefined {
  if (text.length > maxLength) return undefined;
  if (known.has(text)) return known.get(text);
  if (known.size >= maxRemembered) known.clear();
  const length = lengthOf(text);
  known.set(text, length);
  return length;
}

function lengthOf(text: string): Micros | undefined {
  const parts = pattern.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const units = [7 * day, day, hour, minute, second];
  return parts.reduce((sum, part, n) => sum + Number(part ?? 0) * (units[n] ?? 0), 0);
}

/** @returns whole days; undefined if it is not a duration or contains a part of a day */
export function wholeDays(text: string): number | undefined {
  const length = readDuration(text);
  return length !== undefined && length % day === 0 ? length / day : undefined;
}

/** "7 days", "90 minutes", "1 hour": the largest unit with a whole number. */
export function durationWords(text: string): string {
  const [count, unit] = countAndUnit(text);
  return `${count} ${unit}`;
}

/**
 * The same after "the last" or "the next", where a single unit has no number: "the last 7 days", "the last hour". A day is "24 hours",
 * because "the next day" also means tomorrow.
 */
export function spanWords(text: string): string {
  const [count, unit] = countAndUnit(text);
  if (count !== 1) return `${count} ${unit}`;
  return unit === 'day' ? '24 hours' : unit;
}

function countAndUnit(text: string): [count: number, unit: string] {
  const length = readDuration(text) ?? 0;
  const units: [string, number][] = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
    ['second', second],
  ];
  const [name, unit] = units.find(([, size]) => length >= size && length % size === 0) ?? ['second', second];
  const count = length / unit;
  return [count, count === 1 ? name : `${name}s`];
}
