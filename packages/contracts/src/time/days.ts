/*
 * Calendar days as texts, YYYY-MM-DD, and as numbers: days since 1970-01-01. Windows of traits convert the
 * same few hundred days several hundred thousand times a second, and one conversion by Date takes half a
 * microsecond. So both directions are cached.
 */
const dayMs = 86_400_000;
/** 20,000 days are 55 years. */
const maxRemembered = 20_000;
const numbers = new Map<string, number>();
const names = new Map<number, string>();

/** @param day a day as YYYY-MM-DD; anything else gives NaN */
export function dayNumber(day: string): number {
  const known = numbers.get(day);
  if (known !== undefined) return known;
  const number = Date.parse(`${day}T00:00:00Z`) / dayMs;
  if (numbers.size >= maxRemembered) numbers.clear();
  numbers.set(day, number);
  return number;
}

/** The day with a number, as YYYY-MM-DD. */
export function dayNamed(number: number): string {
  const known = names.get(number);
  if (known !== undefined) return known;
  const name = new Date(number * dayMs).toISOString().slice(0, 10);
  if (names.size >= maxRemembered) names.clear();
  names.set(number, name);
  return name;
}

/** The number of days from `from` to `to`; negative if `to` is the earlier day. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

export function plusDays(day: string, days: number): string {
  return dayNamed(dayNumber(day) + days);
}
