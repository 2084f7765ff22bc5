import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketCount } from '../ledger/index.ts';
import { planLeases } from './lease-plan.ts';
import type { BucketOwner } from './lease-store.ts';

const worker = (worker_id: number) => ({ worker_id, process: `w${worker_id}`, beat: 1 });

/** Lets every living worker plan and act in turn. Each sees what the ones before it did. */
function settle(owners: (number | null)[], living: number[], rounds: number): (number | null)[] {
  for (let round = 0; round < rounds; round++) {
    for (const me of living) {
      const buckets: BucketOwner[] = owners.map((worker_id, bucket) => ({ bucket, worker_id, fence: 0 }));
      const plan = planLeases({ me, living: living.map(worker), buckets });
      for (const { bucket } of plan.take) {
        const owner = owners[bucket] ?? null;
        expect(owner === null || !living.includes(owner), 'takes nothing from the living').toBe(true);
        owners[bucket] = me;
      }
      for (const bucket of plan.free) {
        expect(owners[bucket]).toBe(me);
        owners[bucket] = null;
      }
    }
  }
  return owners;
}

describe('leases', () => {
  test('are shared evenly among the living workers within two rounds, from any start', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: 1, max: 9 })), { minLength: bucketCount, maxLength: bucketCount }),
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
        (owners, living) => {
          const settled = settle([...owners], living, 2);
          const shares = living.map((id) => settled.filter((owner) => owner === id).length);
          expect(shares.reduce((a, b) => a + b)).toBe(bucketCount);
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
          expect(settle([...settled], living, 1), 'and stay').toEqual(settled);
        },
      ),
    );
  });

  test('a worker that counts as dead does nothing', () => {
    const buckets = [{ bucket: 0, worker_id: null, fence: 0 }];
    expect(planLeases({ me: 1, living: [worker(2)], buckets })).toEqual({ take: [], free: [] });
  });
});
