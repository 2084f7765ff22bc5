import { dateFormat } from '../formats.ts';

/** A day of the calendar, such as `2026-05-04`. */
export type DayCode = string;

type Part = 'day' | 'month' | 'year';

const two = (part: number) => String(part).padStart(2, '0');

/** Returns the code of a day in the zone of this browser. */
export const dayCodeOf = (at: Date): DayCode =>
  `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** Returns noon of a day in the zone of this browser. At noon, no change of the clocks moves it to another day. */
export const noonOf = (day: DayCode): Date => new Date(`${day}T12:00:00`);

const inDigits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const formatOf = (region: string) => dateFormat(region, inDigits);

/** Returns a day as the region writes it with digits: `04.05.2026`, `04/05/2026`. */
export const dayText = (day: DayCode, region: string): string => formatOf(region).format(noonOf(day));

/** One of the two ends of a range of days. */
export type Edge = 'start' | 'end';

/** Returns the moment at which a day begins or ends in the zone of this browser. */
export const edgeOf = (day: DayCode, edge: Edge): Date =>
  new Date(`${day}T${edge === 'start' ? '00:00:00' : '23:59:59.999'}`);

/**
 * Returns one end of a range as the region writes it: the day, or the day with the time if the range begins or ends within
 * the day. The zone is that of this browser.
 */
export function edgeText(at: Date, edge: Edge, region: string): string {
  const day = dayCodeOf(at);
  if (edgeOf(day, edge).getTime() === at.getTime()) return dayText(day, region);
  return dateFormat(region, { ...inDigits, hour: '2-digit', minute: '2-digit' }).format(at);
}

/** Returns the order in which a region writes the parts of a day. */
function orderOf(region: string): Part[] {
  return formatOf(region)
    .formatToParts(noonOf('2026-05-04'))
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []));
}

/** Returns the form in which a region writes a day: `DD/MM/YYYY`, or with the letters of another language. */
export function dayPattern(region: string, letters: Readonly<Record<Part, string>>): string {
  return formatOf(region)
    .formatToParts(noonOf('2026-05-04'))
    .map(({ type, value }) => (type === 'day' || type === 'month' || type === 'year' ? letters[type] : value))
    .join('');
}

/**
 * Reads a day as people type it: in the order of the region, with any separators, or as `2026-05-04`. A year of two
 * digits belongs to this century. Pure.
 *
 * @returns undefined if the text is not a day of the calendar
 */
export function readDay(text: string, region: string): DayCode | undefined {
  const digits = text
    .trim()
    .split(/[\s./-]+/)
    .filter((part) => part !== '');
  if (digits.length !== 3 || !digits.every((part) => /^\d{1,4}$/.test(part))) return undefined;
  const order: Part[] = digits[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(region);
  const [day = 0, month = 0, year = 0] = (['day', 'month', 'year'] as const).map((part) =>
    Number(digits[order.indexOf(part)]),
  );
  const code = `${String(year < 100 ? year + 2000 : year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const read = noonOf(code);
  return Number.isNaN(read.getTime()) || dayCodeOf(read) !== code ? undefined : code;
}

/** Returns the day that is a number of days later. Pure. */
export function daysLater(day: DayCode, days: number): DayCode {
  const at = noonOf(day);
  at.setDate(at.getDate() + days);
  return dayCodeOf(at);
}

/** Returns the same day of another month, or the last day of that month if it is shorter. Pure. */
export function monthsLater(day: DayCode, months: number): DayCode {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(year, month + months, 0, 12);
  return dayCodeOf(new Date(last.getFullYear(), last.getMonth(), Math.min(date, last.getDate()), 12));
}

const sundayFirst: readonly string[] = ['en', 'en-US', 'en-CA'];

/** Returns the weeks that contain the days of a month, each with seven days. Pure. */
export function weeksOf(day: DayCode, region: string): DayCode[][] {
  const first = `${day.slice(0, 8)}01`;
  const weekday = (noonOf(first).getDay() + (sundayFirst.includes(region) ? 0 : 6)) % 7;
  const start = daysLater(first, -weekday);
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => daysLater(start, week * 7 + place)),
  );
  return weeks.filter((days) => days.some((one) => one.slice(0, 7) === day.slice(0, 7)));
}
