import Type, { type TUnsafe } from 'typebox';
import type { Flag } from '../flags.ts';
import { readTimestampText, timestampPattern, type WrittenTime } from '../time/timestamp-text.ts';
import { fromLocalTime } from '../time/zones.ts';
import type { Micros } from '../values.ts';
import type { Field, Reading } from './field.ts';
import { show } from './show.ts';
import { storable } from './text.ts';

type TimeField = Field<Micros, TUnsafe<string>>;

const minute = 60_000_000;
const oldest: Micros = Date.UTC(2000, 0, 1) * 1000;
const refusedAhead = 24 * 60 * minute;
const flaggedAhead = 5 * minute;

const forms = 'RFC 3339. Without an offset, it is read in the time zone configured for the brand.';
const example = '2026-03-01T18:27:58.123456Z';
const fix = `an RFC 3339 date-time, for example ${example}`;

/** A time in the message (draw_date, match_start): any form of timestamp, past or future. */
export function moment(description: string): TimeField {
  return {
    schema: Type.Unsafe<string>({ type: 'string', pattern: timestampPattern, description: `${description} ${forms}` }),
    fix,
    presence: 'required',
    read: readMoment,
  };
}

/** How many characters are kept of a text that should have been a timestamp. A label has the same limit. */
const maxCached = 255;

/**
 * A moment on which nothing depends. If it cannot be read, the event is still accepted. At most 255 characters of the
 * sent text are kept, and the event is flagged.
 */
export function momentOrText(description: string, unreadable: Flag): Field<Micros | string, TUnsafe<string>> {
  const retained = `${description} If it is not a timestamp, its first ${maxCached} characters are stored, and the event is flagged.`;
  return {
    ...moment(retained),
    read(value, reading) {
      const written = readWrittenText(value);
      if (written !== undefined) return instantOf(written, reading);
      reading.flag(unreadable);
      return storable((typeof value === 'string' ? value.trim() : JSON.stringify(value)).slice(0, maxCached));
    },
  };
}

/** The time of the event itself: kept to the microsecond, neither before 2000 nor far ahead of the clock. */
export function eventTimestamp(description: string): TimeField {
  return {
    ...moment(description),
    read(value, reading, name) {
      const written = readWritten(value, reading, name);
      if (written === undefined) return undefined;
      if (!written.zoned) reading.flag('zoneless_timestamp');
      return withinBounds(instantOf(written, reading), reading, name);
    },
  };
}

function withinBounds(at: Micros, reading: Reading, name: string): Micros | undefined {
  if (at < oldest)
    return reading.refuse(name, 'not_before_2000', 'must not be before 2000-01-01; send the time of the event.');
  const ahead = at - reading.now;
  if (ahead > refusedAhead && !reading.trusted)
    return reading.refuse(
      name,
      'not_ahead',
      "must not be more than 24 hours ahead of the platform's clock; send the time of the event, with its offset.",
    );
  if (ahead > flaggedAhead) reading.flag('ahead_of_clock');
  return at;
}

function readMoment(value: unknown, reading: Reading, name: string): Micros | undefined {
  const written = readWritten(value, reading, name);
  return written === undefined ? undefined : instantOf(written, reading);
}

function readWritten(value: unknown, reading: Reading, name: string): WrittenTime | undefined {
  const written = readWrittenText(value);
  return (
    written ??
    reading.refuse(name, 'timestamp', `must be an RFC 3339 date-time, for example ${example}; received ${show(value)}.`)
  );
}

function readWrittenText(value: unknown): WrittenTime | undefined {
  return typeof value === 'string' ? (readTimestampText(value) ?? readTimestampText(value.trim())) : undefined;
}

function instantOf(written: WrittenTime, reading: Reading): Micros {
  if (written.zoned) return written.micros;
  const local = fromLocalTime(reading.zone, written.micros);
  if (local.flag !== undefined) reading.flag(local.flag);
  return local.at;
}
