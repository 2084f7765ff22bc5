import type { BucketLeases, CursorMove, Lease } from '../buckets/index.ts';
import { type Bucket, bucketCount, type Cursor } from '../ledger/index.ts';

/** Leases on all buckets for a scenario, which is alone in its transaction. */
export class MemoryLeases
  implements Pick<BucketLeases, 'owned' | 'advance' | 'moved' | 'runOnce' | 'storeIdleCursors'>
{
  readonly #owned: Map<Bucket, Lease>;

  constructor({ beginning }: { beginning: Cursor }) {
    this.#owned = new Map(
      Array.from({ length: bucketCount }, (_, bucket) => [bucket, { fence: 1, cursor: beginning }]),
    );
  }

  owned(): ReadonlyMap<Bucket, Lease> {
    return this.#owned;
  }

  moved(moves: readonly CursorMove[]): void {
    for (const { bucket, fence, cursor } of moves) this.#owned.set(bucket, { fence, cursor });
  }

  async advance(): Promise<void> {}

  async storeIdleCursors(): Promise<void> {}

  async runOnce() {
    return { taken: 0, freed: 0, dead: 0 };
  }
}
