import type { PoolClient } from 'pg';
import type { ReadableEvent } from '../read.ts';
import { failureOf, reasonOf } from './failure.ts';

export interface Failed {
  events: readonly ReadableEvent[];
  reason: string;
}

/**
 * Applies a batch of which something cannot be applied: bucket by bucket, and a bucket that fails player by player, each
 * behind a savepoint of the same transaction. Returns the players that failed; everybody else's events are applied.
 *
 * Per bucket first, because a batch of 1000 events has some 15 of each bucket: a poisoned player costs about 64 + 15
 * tries instead of 1000.
 *
 * @param apply is given a part of the events; it must keep nothing in memory of a part for which it throws
 * @throws what is no matter of content: the batch as a whole has to be tried again, or dropped
 */
export async function applyNarrowly(
  tx: PoolClient,
  events: readonly ReadableEvent[],
  apply: (part: readonly ReadableEvent[]) => Promise<void>,
): Promise<Failed[]> {
  const failed: Failed[] = [];
  for (const ofBucket of Map.groupBy(events, ({ source }) => source.bucket).values()) {
    if ((await attempt(tx, () => apply(ofBucket))) === undefined) continue;
    for (const ofPlayer of Map.groupBy(ofBucket, playerOf).values()) {
      const reason = await attempt(tx, () => apply(ofPlayer));
      if (reason !== undefined) failed.push({ events: ofPlayer, reason });
    }
  }
  return failed;
}

export function playerOf({ source }: Pick<ReadableEvent, 'source'>): string {
  return `${source.brand_id}:${source.player_hash}`;
}

/** Runs work behind a savepoint. Returns why it was undone, undefined when it was not. */
export async function attempt(tx: PoolClient, work: () => Promise<void>): Promise<string | undefined> {
  await tx.query('savepoint part');
  try {
    await work();
    await tx.query('release savepoint part');
    return undefined;
  } catch (error) {
    if (failureOf(error) !== 'content') throw error;
    await tx.query('rollback to savepoint part; release savepoint part');
    return reasonOf(error);
  }
}
