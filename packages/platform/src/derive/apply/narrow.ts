import type { PoolClient } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { ReadableEvent } from '../read.ts';
import { failureOf, reasonOf } from './failure.ts';

export interface Failed {
  event: ReadableEvent;
  reason: string;
}

/**
 * Applies events when some of them may be impossible to apply. It tries all of them at once. If that fails, it tries
 * ever smaller parts, each behind a savepoint of the same transaction. Returns the single events that failed. All
 * others are applied, including those of the same player, because derived state does not depend on order.
 *
 * One bad event among 1,000 costs about 1 + 64 + 15 tries (the batch, its buckets, the players of one bucket), and two more each time the
 * events of its player are halved. The maximum is two tries per event.
 *
 * @param apply applies a part of the events; if it throws, it must keep nothing of that part in memory
 * @throws errors that are not about content: the caller must retry or drop the whole transaction
 */
export async function applyNarrowly(
  tx: PoolClient,
  events: readonly ReadableEvent[],
  apply: (part: readonly ReadableEvent[]) => Promise<void>,
): Promise<Failed[]> {
  const [event] = events;
  if (event === undefined) return [];
  const reason = await attempt(tx, () => apply(events));
  if (reason === undefined) return [];
  if (events.length === 1) return [{ event, reason }];
  const failed: Failed[] = [];
  for (const part of split(events)) failed.push(...(await applyNarrowly(tx, part, apply)));
  return failed;
}

/** Splits events into buckets, a bucket into players, and the events of one player into halves. */
function split(events: readonly ReadableEvent[]): (readonly ReadableEvent[])[] {
  for (const name of [bucketOf, playerOf]) {
    const groups = [...Map.groupBy(events, name).values()];
    if (groups.length > 1) return groups;
  }
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)];
}

function bucketOf({ source }: ReadableEvent): string {
  return String(source.bucket);
}

export function playerOf({ source }: ReadableEvent): string {
  return `${source.brand_id}:${source.player_hash}`;
}

/** Runs work behind a savepoint. Returns the reason if it was rolled back, otherwise undefined. */
async function attempt(tx: PoolClient, work: () => Promise<void>): Promise<string | undefined> {
  try {
    await awaitAll([tx.query('savepoint part'), work()]);
    // Not awaited: the driver sends this with the next statements of the transaction. If it fails, they fail, too.
    tx.query('release savepoint part').catch(() => {});
    return undefined;
  } catch (error) {
    if (failureOf(error) !== 'content') throw error;
    await tx.query('rollback to savepoint part; release savepoint part');
    return reasonOf(error);
  }
}
