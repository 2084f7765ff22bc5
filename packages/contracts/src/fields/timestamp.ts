import Type, { type TUnsafe } from 'typebox';
import { readTimestampText } from '../time/timestamp-text.ts';
import { fromLocalTime } from '../time/zones.ts';
import type { Micros } from '../values.ts';
import type { Field, Reading } from './field.ts';
import { show } from './show.ts';

type TimeField = Field<Micros, TUnsafe<string>>;

const minute = 60_000_000;
const oldest: Micros = Date.UTC(2000, 0, 1) * 1000;
const refusedAhead = 24 * 60 * minute;
const flaggedAhead = 5 * minute;

const fix = 'an RFC 3339 timestamp such as 2026-03-01T18:27:58.123456Z';

/** A time that the message tells about (draw_date, match_start): any form of timestamp, past or future. */
export function moment(description: string): TimeField {
  return {
    schema: Type.Unsafe<string>({ type: 'string', format: 'date-time', description }),
    fix,
    presence: 'required',
    read: readMoment,
  };
}

/** The time of the event itself: kept to the microsecond, neither before 2000 nor far ahead of the clock. */
export function eventTimestamp(description: string): TimeField {
  return {
    ...moment(description),
    read(value, reading, name) {
      const at = readMoment(value, reading, name);
      if (at === undefined) return undefined;
      if (at < oldest)
        return reading.refuse(name, 'not_before_2000', `must not be before 2000-01-01; send the time of the event.`);
      const ahead = at - reading.now;
      if (ahead > refusedAhead && !reading.trusted)
        return reading.refuse(
          name,
          'not_ahead',
          `must not be more than 24 hours ahead of the clock; send the time of the event, with its offset.`,
        );
      if (ahead > flaggedAhead) reading.flag('ahead_of_clock');
      return at;
    },
  };
}

function readMoment(value: unknown, reading: Reading, name: string): Micros | undefined {
  const written = typeof value === 'string' ? (readTimestampText(value) ?? readTimestampText(value.trim())) : undefined;
  if (written === undefined)
    return reading.refuse(
      name,
      'timestamp',
      `must be a timestamp; send ${fix.replace('an ', '')}, not ${show(value)}.`,
    );
  if (written.zoned) return written.micros;
  reading.flag('zoneless_timestamp');
  const local = fromLocalTime(reading.zone, written.micros);
  if (local.flag !== undefined) reading.flag(local.flag);
  return local.at;
}
