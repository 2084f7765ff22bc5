import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { ReadableEvent } from '../read.ts';
import { type Deleting, deleteInPortions } from './portions.ts';
import { keepTouchedFacts } from './removal.ts';
import { dayName, isLate, isTooOld, type Timing } from './too-old.ts';

function timingOf({ source, event }: ReadableEvent): Timing {
  return { at: event.timestamp, received_at: source.received_at };
}

/**
 * Separates the events of a batch that are older than their brands' history from the others. Queries the database only
 * if there are late events.
 */
export async function separateTooOld(
  tx: ClientBase,
  events: readonly ReadableEvent[],
): Promise<{ recent: readonly ReadableEvent[]; tooOld: readonly ReadableEvent[] }> {
  if (!events.some((event) => isLate(timingOf(event)))) return { recent: events, tooOld: [] };
  const pruned = await prunedFacts(tx);
  const { recent = [], tooOld = [] } = Object.groupBy(events, (event) => {
    const { source, settings } = event;
    return isTooOld(timingOf(event), settings.history_days, pruned.get(source.brand_id)) ? 'tooOld' : 'recent';
  });
  return { recent, tooOld };
}

/** The oldest moment that a batch read or changed for one player. */
export interface OldestTouched {
  player_id: number;
  /** The receipt of the last event of the batch. */
  received_at: Micros;
  at: Micros;
}

/**
 * Records what late events touched, by the day of their receipt. Those facts are not removed as long as the ledger
 * keeps the events.
 *
 * @throws {FactsWereRemoved} if the facts were removed meanwhile; the caller must retry the transaction
 */
export async function noteLate(tx: ClientBase, outcome: readonly OldestTouched[]): Promise<void> {
  const oldest = new Map<string, { day: string; player_id: number; at: Micros }>();
  for (const { player_id, received_at, at } of outcome) {
    if (!isLate({ at, received_at })) continue;
    const day = dayName(received_at);
    const known = oldest.get(`${player_id}:${day}`);
    if (known === undefined || at < known.at) oldest.set(`${player_id}:${day}`, { day, player_id, at });
  }
  if (oldest.size === 0) return;
  const rows = [...oldest.values()].sort((a, b) => a.player_id - b.player_id);
  const noted = tx.query(
    `insert into late_event as t (player_id, day, oldest_at)
     select * from unnest($1::bigint[], $2::date[], $3::timestamptz[])
     on conflict (player_id, day) do update set oldest_at = excluded.oldest_at where excluded.oldest_at < t.oldest_at`,
    [rows.map((row) => row.player_id), rows.map((row) => row.day), rows.map((row) => row.at)],
  );
  const oldestAt = rows.reduce((oldest, { at }) => Math.min(oldest, at), rows[0]?.at ?? 0);
  await awaitAll([noted, keepTouchedFacts(tx, oldestAt)]);
}

/**
 * Returns, keyed by player, the oldest moment that the player's late events touched. Only events that are still in the
 * ledger count.
 */
export async function oldestLateEvent(tx: ClientBase, playerIds: readonly number[]): Promise<Map<number, Micros>> {
  const { rows } = await tx.query<{ player_id: number; oldest_at: Micros }>(
    'select player_id, min(oldest_at) as oldest_at from late_event where player_id = any ($1::bigint[]) group by player_id',
    [playerIds],
  );
  return new Map(rows.map((row) => [row.player_id, row.oldest_at]));
}

/**
 * Deletes records of days that are no longer kept. A record has the day of receipt, which may be one day before the
 * ledger's day.
 */
export function forgetLateEvents(db: Deleting, before: string): Promise<number> {
  return deleteInPortions(
    db,
    `delete from late_event where ctid = any (array(select ctid from late_event where day < $1 limit $2))`,
    before,
  );
}

/** Returns, keyed by brand, the time before which facts that are kept for the history are removed. */
export async function prunedFacts(db: Pool | ClientBase): Promise<Map<number, Micros>> {
  const { rows } = await db.query<{ brand_id: number; pruned_to: Micros }>(
    'select brand_id, pruned_to from pruned_fact',
  );
  return new Map(rows.map((row) => [row.brand_id, row.pruned_to]));
}
