import { readEvent } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canWrite, precisionOf, type StampForm, writeStamp } from './stamps.ts';

const forms: readonly StampForm[] = ['micros', 'millis', 'ticks', 'nanos', 'offset', 'one_digit_hour', 'zoneless'];
const zones = ['UTC', 'Europe/Malta', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
const moments = fc.integer({ min: Date.UTC(2000, 0, 2) * 1000, max: Date.UTC(2040, 0) * 1000 });

test('every stamp is parsed to the time that it stores, in every form and zone', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...forms), fc.constantFrom(...zones), (moment, form, zone) => {
      fc.pre(canWrite(moment, form, zone));
      const { at, text } = writeStamp(moment, form, zone);
      expect(moment - at).toBeGreaterThanOrEqual(0);
      expect(moment - at).toBeLessThan(precisionOf(form));
      const context = { now: Date.UTC(2040, 0) * 1000, zoneless_timestamps: zone, base_currency: 'EUR' };
      expect(readEvent('logout', { user_id: 'a', timestamp: text }, context)).toMatchObject({
        ok: true,
        event: { timestamp: at },
      });
    }),
    { numRuns: 2000 },
  );
});
