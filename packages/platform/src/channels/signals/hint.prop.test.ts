import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hintPayloads, maxPayloadBytes, pollHint, readHints } from './hint.ts';

const id = fc
  .oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.maxSafeInteger().map((n) => Math.abs(n) + 1),
  )
  .filter(Number.isSafeInteger);

test('packed hints are read back in order, and no payload is too long for PostgreSQL', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ signal_id: id, player_id: id }), { maxLength: 1_500, size: 'large' }), (hints) => {
      const payloads = hintPayloads(hints);
      expect(payloads.every((payload) => Buffer.byteLength(payload) <= maxPayloadBytes)).toBe(true);
      expect(payloads.flatMap((payload) => readHints(payload) ?? [])).toEqual(hints);
    }),
    { numRuns: 20 },
  );
});

test('the hint to poll and unknown payloads are both read as a request to poll', () => {
  for (const payload of [pollHint, '', 'a', 'a.', '1.2,,', 'a.0']) expect(readHints(payload)).toBeNull();
});
