import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boundsOf,
  forgetClosed,
  groupByPosition,
  isPast,
  moveTo,
  type Positions,
  toCursor,
  type Writer,
} from './cursor.ts';
import type { Bucket } from './ledger.ts';

const day = '2026-05-01';

/** Positions of a few writers, as a worker has them after buckets changed owners at different positions. */
const positions: fc.Arbitrary<Positions> = fc
  .array(fc.nat({ max: 6 }), { minLength: 3, maxLength: 3 })
  .map((seqs) => ({ floor: 0, at: Object.fromEntries(seqs.map((seq, i) => [i + 1, [day, seq] as [string, number]])) }));

describe('cursors', () => {
  test('of all buckets meet after a limited number of reads, however far apart they start', () => {
    fc.assert(
      fc.property(
        fc.array(positions, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (starts, limit) => {
          const end = 8;
          let cursors = new Map<Bucket, Positions>(starts.map((start, bucket) => [bucket, start]));
          for (let round = 0; round < 3 * end + 3; round++) {
            const groups = groupByPosition(new Map([...cursors].map(([bucket, p]) => [bucket, toCursor(p)])));
            const next = new Map<Bucket, Positions>();
            for (const group of groups) {
              const bounds = boundsOf(group, groups);
              const moved = moveTo(
                group.positions,
                [1, 2, 3].map((writer_id) => {
                  const from = group.positions.at[writer_id]?.[1] ?? 0;
                  return { writer_id, day, seq: Math.min(from + limit, bounds.get(writer_id) ?? end, end) };
                }),
              );
              for (const bucket of group.buckets) next.set(bucket, moved);
            }
            cursors = next;
          }
          expect(groupByPosition(new Map([...cursors].map(([b, p]) => [b, toCursor(p)])))).toHaveLength(1);
          for (const p of cursors.values()) expect(Object.values(p.at).map(([, seq]) => seq)).toEqual([end, end, end]);
        },
      ),
    );
  });

  test('forget a writer only if it and all writers before it are closed and fully read', () => {
    const at = (seqs: Record<string, number>): Positions => ({
      floor: 0,
      at: Object.fromEntries(Object.entries(seqs).map(([id, seq]) => [id, [day, seq]])),
    });
    const closed = (writer_id: number, closed_seq: number | null): Writer => ({ writer_id, closed_seq, packed_seq: 0 });
    const cases: [string, Positions, Writer[], number][] = [
      ['all closed and read', at({ 1: 5, 2: 7 }), [closed(1, 5), closed(2, 7)], 2],
      ['the second still open', at({ 1: 5, 2: 7 }), [closed(1, 5), closed(2, null)], 1],
      ['the first not read to its end', at({ 1: 4, 2: 7 }), [closed(1, 5), closed(2, 7)], 0],
      ['a writer that never wrote', at({ 2: 7 }), [closed(1, 0), closed(2, 7)], 2],
      ['a writer that is not in the cursor and has blocks to read', at({ 2: 7 }), [closed(1, 3), closed(2, 7)], 0],
      ['in any order of the list', at({ 1: 5, 2: 7 }), [closed(2, 7), closed(1, 5)], 2],
    ];
    for (const [name, positions, writers, floor] of cases) {
      const after = forgetClosed(positions, { above: 0, writers });
      expect(after.floor, name).toBe(floor);
      expect(
        Object.keys(after.at)
          .map(Number)
          .every((id) => id > floor),
        name,
      ).toBe(true);
      for (const writer of writers) {
        if (writer.writer_id <= floor) expect(isPast(after, writer.writer_id, writer.closed_seq ?? 0), name).toBe(true);
      }
    }
  });

  test('do not change if the list of writers begins above their floor', () => {
    const lagging: Positions = { floor: 0, at: {} };
    const list = { above: 1, writers: [{ writer_id: 2, closed_seq: 0, packed_seq: 0 }] };
    expect(forgetClosed(lagging, list)).toBe(lagging);
    expect(forgetClosed({ floor: 1, at: {} }, list)).toEqual({ floor: 2, at: {} });
  });
});
