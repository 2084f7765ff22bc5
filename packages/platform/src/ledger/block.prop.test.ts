import { eventKinds } from '@croupier/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CorruptBlock, decodeBlock, encodeBlock } from './block.ts';
import type { LedgerEntry } from './ledger.ts';

const entry: fc.Arbitrary<LedgerEntry> = fc.record({
  kind: fc.constantFrom(...eventKinds),
  brand_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  player_hash: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  received_at: fc.integer({ min: 0, max: 8_000_000_000_000_000 }),
  body: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
});

describe('a block', () => {
  test('returns what was written, whether it is small and plain or large and compressed', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 60 }), (entries) => {
        expect(decodeBlock(encodeBlock(entries))).toEqual(entries);
      }),
    );
  });

  test('with some events erased returns the others at their places', () => {
    const erasedHere = fc.array(fc.option(entry), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(erasedHere, (entries) => {
        expect(decodeBlock(encodeBlock(entries))).toEqual(entries);
      }),
    );
  });

  test('of repetitive events is smaller than their bodies', () => {
    const body = Buffer.from(
      JSON.stringify({ activity_id: 'a-1', amount: 1.5, currency: 'EUR', game_id: 'book-of-tests' }),
    );
    const entries = Array.from({ length: 200 }, (_, i) => ({
      kind: 'casino' as const,
      brand_id: 1,
      player_hash: BigInt(i),
      received_at: 1_790_000_000_000_000 + i,
      body,
    }));
    expect(encodeBlock(entries).length).toBeLessThan((body.length * entries.length) / 4);
  });

  test('that is cut off or of another format throws, and never returns half of its events', () => {
    const whole = encodeBlock([
      { kind: 'login', brand_id: 1, player_hash: 1n, received_at: 1, body: Buffer.from('{}') },
      { kind: 'login', brand_id: 1, player_hash: 2n, received_at: 2, body: Buffer.from('{"a":1}') },
    ]);
    for (let length = 1; length < whole.length; length++) {
      const firstFrameOnly = length === 1 || length === 1 + 25 + 2;
      if (firstFrameOnly) continue;
      expect(() => decodeBlock(whole.subarray(0, length)), `cut at ${length}`).toThrow(CorruptBlock);
    }
    expect(() => decodeBlock(Buffer.from([9, 1, 2, 3]))).toThrow(CorruptBlock);
    expect(() => decodeBlock(Buffer.from([1, 1, 2, 3]))).toThrow(CorruptBlock);
    expect(() => decodeBlock(Buffer.alloc(0))).toThrow(CorruptBlock);
  });
});
