import { type Bucket, bucketCount } from '../ledger/index.ts';
import type { BucketOwner, WorkerBeat } from './lease-store.ts';

/** What one worker knows when it decides: its own id, who lives, and who holds what. */
export interface LeaseView {
  me: number;
  /** Workers whose beat moved within the allowed time, this one included. */
  living: readonly WorkerBeat[];
  buckets: readonly BucketOwner[];
}

/** What it does next: take these (free, or of a worker that is not among the living), give these back. */
export interface LeasePlan {
  take: BucketOwner[];
  free: Bucket[];
}

/**
 * Shares the buckets evenly among the living: 64 / n each, the first (64 mod n) workers by id one more. Pure: every
 * worker computes the same shares from the same rows, so nobody has to lead. A worker above its share gives back the
 * difference; one below takes what is free, up to its share.
 */
export function planLeases(view: LeaseView): LeasePlan {
  const ids = view.living.map((worker) => worker.worker_id).sort((a, b) => a - b);
  const place = ids.indexOf(view.me);
  if (place === -1) return { take: [], free: [] };
  const share = Math.floor(bucketCount / ids.length) + (place < bucketCount % ids.length ? 1 : 0);
  const mine = view.buckets.filter((bucket) => bucket.worker_id === view.me);
  if (mine.length >= share) return { take: [], free: mine.slice(share).map((bucket) => bucket.bucket) };
  const living = new Set(ids);
  const orphaned = view.buckets.filter((bucket) => bucket.worker_id === null || !living.has(bucket.worker_id));
  return { take: orphaned.slice(0, share - mine.length), free: [] };
}
