import type { PoolClient } from 'pg';
import type { ReadableEvent } from '../read.ts';
import { failureOf, reasonOf } from './failure.ts';

export interface Failed {
  event: ReadableEvent;
  reason: string;
}

/**
 * Applies events of which some may be impossible to apply: all at once, and where that fails in ever smaller parts, each
 * behind a savepoint of the same transaction. Returns the single events that failed; all others are applied, those of the
 * same player included, because derived state does not depend on order.
 *
 * A bad event among 1,000 costs about 1 + 64 + 15 tries and two for each halving of its player's events; two tries for
 * each event are the most.
 *
 * @param apply is given a part of the events; it must keep nothing in memory of a part for which it throws
 * @throws what is no matter of content: the transaction as a whole has to be tried again, or dropped
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

/** Into buckets, a bucket into players, the events of a player into halves. */
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

/** Runs work behind a savepoint. Returns why it was undone, undefined when it was not. */
async function attempt(tx: PoolClient, work: () => Promise<void>): Promise<string | undefined> {
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
