import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTimestampText } from './timestamp-text.ts';
import { fromLocalTime, zoneOffsetMinutes } from './zones.ts';

const from = Date.UTC(2000, 0, 1) * 1000;
const to = Date.UTC(2100, 0, 1) * 1000;
const micros = fc.integer({ min: from, max: to });
const two = (n: number) => String(n).padStart(2, '0');

/** Writes an instant with an offset in the format of RFC 3339. */
function written(at: number, offsetMinutes: number): string {
  const local = at + offsetMinutes * 60_000_000;
  const seconds = new Date(Math.floor(local / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = String(((local % 1e6) + 1e6) % 1e6).padStart(6, '0');
  const sign = offsetMinutes < 0 ? '-' : '+';
  const ahead = Math.abs(offsetMinutes);
  return `${seconds}.${fraction}${sign}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

test('an instant written with any offset is read back to the microsecond', () => {
  fc.assert(
    fc.property(micros, fc.integer({ min: -1439, max: 1439 }), (at, offset) => {
      expect(readTimestampText(written(at, offset))).toEqual({ micros: at, zoned: true });
    }),
  );
});

test('a local time is read back as its instant, or is flagged as one that occurs twice', () => {
  const zones = ['Europe/Malta', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns'];
  fc.assert(
    fc.property(micros, fc.constantFrom(...zones), (at, zone) => {
      const local = fromLocalTime(zone, at + zoneOffsetMinutes(zone, at) * 60_000_000);
      // A time that a clock really showed is never a skipped time. If a local time means two instants, the first is
      // used.
      expect(local.flag).not.toBe('skipped_local_time');
      if (local.flag === undefined) expect(local.at).toBe(at);
      else expect(local.at).toBeLessThanOrEqual(at);
    }),
    { numRuns: 300 },
  );
});
