import type { Micros } from '@croupier/contracts';
import pg from 'pg';

/*
 * How values of PostgreSQL are converted to TypeScript. The conversions are passed to each pool and client (`types`) and
 * never set globally, so that a library with its own pool keeps the driver's conversions.
 *
 *   int8         number          all of ours are below 2^53; a larger one is an error, never a rounded number
 *   numeric      string          DecimalText of contracts, after `trim_scale` where the column has a scale
 *   timestamptz  Micros number   to the microsecond; infinity and -infinity become Infinity and -Infinity
 *   date         'YYYY-MM-DD'    a calendar day is not a moment, so never a Date
 *
 * Arrays of these are converted alike, one dimension deep. Other types keep the driver's conversion.
 */
type Parse = (text: string) => unknown;

const int8 = 20;
const date = 1082;
const timestamptz = 1184;
const numeric = 1700;

const parsers = new Map<number, Parse>([
  [int8, parseInt8],
  [1016, arrayOf(parseInt8)],
  [numeric, String],
  [1231, arrayOf(String)],
  [timestamptz, parseTimestamptz],
  [1185, arrayOf(parseTimestamptz)],
  [date, String],
  [1182, arrayOf(String)],
]);

export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : parsers.get(oid);
    return parse ?? pg.types.getTypeParser(oid, format ?? 'text');
  },
} as pg.CustomTypesConfig;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is beyond 2^53: select it as text`);
  return value;
}

const timestampPattern = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?$/;

/**
 * Parses PostgreSQL's ISO text of a timestamptz, in whatever zone the session shows it.
 *
 * @throws {RangeError} for a year before 1 ("BC"), which none of our columns contains
 */
export function parseTimestamptz(text: string): Micros {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  if (isUtc(text)) return parseUtc(text);
  const parts = timestampPattern.exec(text);
  if (parts === null) throw new RangeError(`not a timestamptz: ${text}`);
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes = '0'] = parts;
  const seconds = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000_000;
  return seconds * 1000 + Number(fraction.padEnd(6, '0')) + (sign === '-' ? offset : -offset);
}

/** '2026-05-01 08:27:58.5+00': the form of our own sessions, which show UTC. */
function isUtc(text: string): boolean {
  return text.charCodeAt(4) === hyphen && text.endsWith('+00');
}

/**
 * Reads the digits at fixed positions. The regular expression would create eleven strings for each timestamp, and a worker parses about 20
 * timestamps per event.
 */
function parseUtc(text: string): Micros {
  const milliseconds = Date.UTC(
    twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2),
    twoDigitsAt(text, 5) - 1,
    twoDigitsAt(text, 8),
    twoDigitsAt(text, 11),
    twoDigitsAt(text, 14),
    twoDigitsAt(text, 17),
  );
  let fraction = 0;
  for (let place = 20; place < 26; place++) {
    const isDigit = place < text.length - '+00'.length;
    fraction = fraction * 10 + (isDigit ? text.charCodeAt(place) - zero : 0);
  }
  return milliseconds * 1_000 + fraction;
}

const hyphen = '-'.charCodeAt(0);
const zero = '0'.charCodeAt(0);

function twoDigitsAt(text: string, place: number): number {
  return (text.charCodeAt(place) - zero) * 10 + text.charCodeAt(place + 1) - zero;
}

/**
 * Formats a time as a parameter of type timestamptz: '2026-05-01T08:27:58.000001Z'. Do not pass the infinities.
 *
 * A batch formats about ten times per event. The text of the day is cached, so one takes 0.3 microseconds instead of the
 * 1.5 of a Date.
 */
export function timestamptzText(at: Micros): string {
  const day = Math.floor(at / dayMicros);
  const ofDay = at - day * dayMicros;
  const second = Math.floor(ofDay / 1_000_000);
  const fraction = ofDay - second * 1_000_000;
  const time = `${digits(Math.floor(second / 3_600))}:${digits(Math.floor(second / 60) % 60)}:${digits(second % 60)}`;
  return `${dayText(day)}T${time}${fraction === 0 ? '.000000' : `.${String(fraction).padStart(6, '0')}`}Z`;
}

const dayMicros = 86_400_000_000;
const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
/** Maximum number of cached days. A batch of late events contains fewer days. The key is the number of the day since 1970. */
const maxDayTexts = 1_000;
const dayTexts = new Map<number, string>();

function digits(n: number): string {
  return twoDigits[n] as string;
}

function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  if (dayTexts.size >= maxDayTexts) dayTexts.clear();
  const text = new Date(day * 86_400_000).toISOString().split('T')[0] as string;
  dayTexts.set(day, text);
  return text;
}

function arrayOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    if (text === '{}') return [];
    // None of these types has a comma or a quote in its text, so the array's own quotes can be removed.
    return text
      .slice(1, -1)
      .split(',')
      .map((element) => (element === 'NULL' ? null : parse(element.replaceAll('"', ''))));
  };
}
