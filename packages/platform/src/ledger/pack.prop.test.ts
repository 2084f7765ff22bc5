import { eventKinds } from '@croupier/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CorruptBlock } from './block.ts';
import { decodeHeads, encodePack, type PackedEvent, playerBytes, unpackBodies, withBodies } from './pack.ts';
import { inReadingOrder, wholeBlocks } from './pack-order.ts';
import { bucketOf } from './player-hash.ts';

/** Events of few players, writers and numbers, so that these are often equal. */
const event: fc.Arbitrary<PackedEvent> = fc
  .record({
    kind: fc.constantFrom(...eventKinds),
    brand_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    player_hash: fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    received_at: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
    block_at: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
    body: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    position: fc.record({
      writer_id: fc.integer({ min: 1, max: 3 }),
      seq: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 51 })),
      index: fc.integer({ min: 0, max: 1_999 }),
    }),
  })
  .map((given) => ({ ...given, bucket: bucketOf(given.player_hash) }));

/** Events of one block have the same time. */
const events = fc
  .uniqueArray(event, {
    minLength: 1,
    maxLength: 60,
    selector: ({ position: { writer_id, seq, index } }) => `${writer_id}:${seq}:${index}`,
  })
  .map((given) => {
    const times = new Map(given.map(({ position: { writer_id, seq }, block_at }) => [`${writer_id}:${seq}`, block_at]));
    return given.map((each) => ({
      ...each,
      block_at: times.get(`${each.position.writer_id}:${each.position.seq}`) ?? each.block_at,
    }));
  });

const key = ({ position: { writer_id, seq, index } }: PackedEvent) => `${writer_id}:${seq}:${index}`;
const byKey = (list: readonly PackedEvent[]) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));

describe('a pack', () => {
  test('reads back what was written', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (given) => {
        const pack = await encodePack([...given]);
        const heads = decodeHeads(pack);
        expect(byKey(withBodies(heads, unpackBodies(pack.bodies)))).toEqual(byKey(given));
        // Any subset of the heads gets the right bodies.
        const part = heads.filter((_, i) => i % 3 === 1).toReversed();
        const wanted = new Map(given.map((each) => [key(each), each]));
        for (const found of withBodies(part, unpackBodies(pack.bodies))) expect(found).toEqual(wanted.get(key(found)));
      }),
      { numRuns: 500 },
    );
  });

  test('contains the hashes of its players', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (given) => {
        const { players } = await encodePack([...given]);
        const hashes = [...new Set(given.map((each) => each.player_hash))].sort((a, b) => (a < b ? -1 : 1));
        expect(players).toEqual(Buffer.concat(hashes.map(playerBytes)));
      }),
      { numRuns: 200 },
    );
  });

  test('that is cut off, changed or mixed with another throws', async () => {
    const of = (count: number, body: string) =>
      encodePack(
        Array.from({ length: count }, (_, i) => ({
          kind: 'login' as const,
          brand_id: 1,
          player_hash: BigInt(i) * 64n,
          bucket: 0,
          received_at: 1_000 + i,
          block_at: 2_000,
          position: { writer_id: 1, seq: 1, index: i },
          body: Buffer.from(body.repeat(i)),
        })),
      );
    const [pack, other] = [await of(20, '{"a":1}'), await of(3, '{}')];
    const whole = unpackBodies(pack.bodies);
    const same = (read: () => Buffer) => {
      try {
        return read().equals(whole);
      } catch {
        return false;
      }
    };
    for (let length = 0; length < pack.heads.length; length++) {
      expect(() => decodeHeads({ ...pack, heads: pack.heads.subarray(0, length) })).toThrow(CorruptBlock);
    }
    for (let at = 0; at < pack.bodies.length; at++) {
      const changed = Buffer.from(pack.bodies);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      // A few bytes only state how much memory to allocate. Changing them does not change the result.
      const read = () => unpackBodies(changed);
      if (same(read)) continue;
      expect(read, `byte ${at}`).toThrow(CorruptBlock);
    }
    expect(() => decodeHeads({ ...pack, players: other.players })).toThrow(CorruptBlock);
    expect(() => withBodies(decodeHeads(pack), unpackBodies(other.bodies))).toThrow(CorruptBlock);
  });
});

describe('the reading order of a pack', () => {
  test('keeps the numbers of each writer in order, and follows time as far as possible', () => {
    fc.assert(
      fc.property(events, (given) => {
        const ordered = inReadingOrder(given);
        expect(byKey(ordered)).toEqual(byKey(given));
        const last = new Map<number, [number, number]>();
        for (const { position } of ordered) {
          const [seq, index] = last.get(position.writer_id) ?? [0, 0];
          expect(position.seq > seq || (position.seq === seq && position.index > index)).toBe(true);
          last.set(position.writer_id, [position.seq, position.index]);
        }
      }),
    );
    const at = (writer_id: number, seq: number, block_at: number) => ({
      position: { writer_id, seq, index: 0 },
      block_at,
    });
    const [a, b, c, d] = [at(1, 1, 10), at(2, 1, 20), at(1, 2, 30), at(1, 3, 5)];
    expect(inReadingOrder([d, c, b, a])).toEqual([a, b, c, d]);
  });

  test('is cut only between blocks', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: -1, max: 70 }), (given, limit) => {
        const ordered = inReadingOrder(given);
        const taken = wholeBlocks(ordered, limit);
        expect(taken).toEqual(ordered.slice(0, taken.length));
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(ordered.length, Math.max(1, limit)));
        const rest = new Set(ordered.slice(taken.length).map(({ position: p }) => `${p.writer_id}:${p.seq}`));
        for (const { position: p } of taken) expect(rest.has(`${p.writer_id}:${p.seq}`)).toBe(false);
      }),
    );
  });
});
