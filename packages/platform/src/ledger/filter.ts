import type { Micros } from '@croupier/contracts';
import { type Bucket, bucketCount, type HistoryFilter, type LedgerEvent } from './ledger.ts';
import { bucketOf } from './player-hash.ts';

/** 9999-12-31, and the longest time between an event's arrival and its commit, both in microseconds. */
const farFuture = 253_370_764_800_000_000;
const longestCommit = 60_000_000;

export function matches(event: Omit<LedgerEvent, 'body'>, filter: HistoryFilter): boolean {
  return (
    (filter.brand_id === undefined || event.brand_id === filter.brand_id) &&
    (filter.player_hash === undefined || event.player_hash === filter.player_hash) &&
    (filter.buckets === undefined || filter.buckets.includes(event.bucket)) &&
    (filter.kinds === undefined || filter.kinds.includes(event.kind)) &&
    (filter.from === undefined || event.received_at >= filter.from) &&
    (filter.to === undefined || event.received_at <= filter.to)
  );
}

/** The times of the blocks that may contain matching events. A block's time is that of its last event. */
export function blockTimes({ from, to }: HistoryFilter): { from: Micros; to: Micros } {
  return { from: from ?? 0, to: to === undefined ? farFuture : to + longestCommit };
}

/** The buckets that may contain matching events; null = all. */
export function bucketsOf({ player_hash, buckets }: HistoryFilter): readonly Bucket[] | null {
  return player_hash === undefined ? (buckets ?? null) : [bucketOf(player_hash)];
}

export function maskOf(buckets: readonly Bucket[] | null): bigint {
  if (buckets === null) return (1n << BigInt(bucketCount)) - 1n;
  return buckets.reduce((mask, bucket) => mask | (1n << BigInt(bucket)), 0n);
}
