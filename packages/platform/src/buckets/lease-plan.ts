import { type Bucket, bucketCount } from '../ledger/index.ts';
import type { BucketOwner, WorkerBeat } from './lease-store.ts';

/** What one worker knows when it decides: its own id, which workers are alive, and who owns which buckets. */
export interface LeaseView {
  me: number;
  /** Workers whose heartbeat moved within the allowed time, including this one. */
  living: readonly WorkerBeat[];
  buckets: readonly BucketOwner[];
}

/** What the worker does next: it takes some buckets (free, or owned by a worker that is not alive), and gives others back. */
export interface LeasePlan {
  take: BucketOwner[];
  free: Bucket[];
}

/**
 * Shares the buckets evenly among the living workers: 64 / n each, and one more for the first (64 mod n) workers by id.
 * Pure: every worker computes the same shares from the same rows, so no leader is needed. A worker above its share
 * gives back the difference. A worker below it takes free buckets up to its share.
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
