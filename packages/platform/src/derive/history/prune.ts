import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import { families } from '../families/index.ts';
import { forgetLateEvents, oldestLateEvent } from './late.ts';
import { removalLock } from './removal.ts';
import { type Bound, isForgotten, olderThan, removeFacts } from './remove-facts.ts';
import { enterStep } from './step.ts';
import { day, dayName, lateAfter, reach } from './too-old.ts';

/*
 * Removes facts that are kept only for the history (casino rounds, custom events, site events) from the live tables and
 * the baseline in one transaction, so that "live = baseline + kept ledger" always holds.
 *
 * A fact may be removed if it cannot be touched by any future event, nor by any event in the ledger that a rebuild
 * would apply again:
 *
 *   1. it is more than `reach` older than the oldest event that may arrive or is kept. That is `lateAfter` before the beginning of the
 *      history
 *   2. it is more than `reach` older than everything that its player's late events in the ledger have touched. A late event
 *      touches the facts at its own timestamp and the facts that it refers to, such as the bet of a rollback or the first
 *      version of an activity that is sent again with another timestamp (late.ts)
 *   3. its row is the same in the live tables and the baseline, and so is every older row of its player. This follows from 1 and 2. If it
 *      is ever not true, the row is evidence of a fault and is kept
 *
 * Stages that count facts learn about the removal in the same transaction (`onRemoved`).
 *
 * The totals of the facts stay. After a rollback, a first or last date is read again from the facts. So the dates of
 * facts are copied to a floor before the facts are removed (totals/floor.ts).
 */

/**
 * The number of players whose facts are removed in one transaction. A week of their facts takes a few milliseconds,
 * mostly for reading their look-up rows. After an import of old events a player may lose 100,000 rounds, which takes
 * seconds.
 */
const playersPerStep = 100;
/** Once a week, because it must read every player's rows. */
const pruneEvery: Micros = 7 * day;

const forgetful = families.filter(({ tables }) => tables.some(isForgotten));

/** Runs in the transaction that removes facts of these players. */
export type OnRemoved = (tx: PoolClient, playerIds: readonly number[]) => Promise<void>;

/** The work to do for a brand: players after `after`, in the order of their numbers. */
interface Work {
  brandId: number;
  horizon: Micros;
  after: number;
}

/**
 * Removes what is due. Each step stores its progress. After an interruption, by a restart or because a rebuild needs
 * the facts, the next call continues there.
 *
 * @param then `pause` is called between two steps, and may throw to stop
 */
export async function pruneFacts(
  pool: Pool,
  oldestKeptDay: Micros,
  brandIds: readonly number[],
  then: { pause: () => Promise<void>; onRemoved: OnRemoved },
): Promise<{ rows: number }> {
  let rows = 0;
  await forgetLateEvents(pool, dayName(oldestKeptDay - day));
  for (const brandId of brandIds) {
    let work = await workOf(pool, brandId, oldestKeptDay - lateAfter - reach);
    while (work !== undefined) {
      const players = await playersOf(pool, work);
      const removed = await pruneStep(pool, work, players, then.onRemoved);
      if (removed === undefined) return { rows };
      rows += removed;
      const last = players.at(-1);
      work = last === undefined ? undefined : { ...work, after: last };
      await then.pause();
    }
  }
  return { rows };
}

/** Returns the work in progress. If there is none, it moves the horizon forward, once a week. */
async function workOf(pool: Pool, brandId: number, horizon: Micros): Promise<Work | undefined> {
  const { rows } = await pool.query<{ pruned_to: Micros; done_to: number | null }>(
    'select pruned_to, done_to from pruned_fact where brand_id = $1',
    [brandId],
  );
  const [before] = rows;
  if (before !== undefined && before.done_to !== null) {
    return { brandId, horizon: before.pruned_to, after: before.done_to };
  }
  if (before !== undefined && horizon < before.pruned_to + pruneEvery) return undefined;
  await advance(pool, brandId, horizon);
  return { brandId, horizon, after: 0 };
}

/**
 * Moves the horizon of a brand forward. It briefly locks out all batches: earlier batches have recorded what their
 * events touched, and later batches see the new horizon, treat older events as too old, and check for concurrent steps
 * (removal.ts).
 */
async function advance(pool: Pool, brandId: number, horizon: Micros): Promise<void> {
  await transaction(pool, async (tx) => {
    await enterLiveAlone(tx);
    await tx.query(
      `insert into pruned_fact (brand_id, pruned_to, done_to) values ($1, $2, 0)
       on conflict (brand_id) do update set pruned_to = greatest(pruned_fact.pruned_to, excluded.pruned_to), done_to = 0`,
      [brandId, timestamptzText(horizon)],
    );
  });
}

async function playersOf(pool: Pool, { brandId, after }: Work): Promise<number[]> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and player_id > $2 order by player_id limit $3',
    [brandId, after, playersPerStep],
  );
  return rows.map((row) => row.player_id);
}

/** Returns the number of removed facts; undefined if none may be removed now because another process needs them. */
async function pruneStep(
  pool: Pool,
  { brandId, horizon }: Work,
  playerIds: readonly number[],
  onRemoved: OnRemoved,
): Promise<number | undefined> {
  return transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [removalLock]);
    if (!rows[0]?.mine) return undefined;
    await enterStep(tx);
    let removed = 0;
    const bounds = playerIds.length === 0 ? [] : await boundsOf(tx, playerIds, horizon);
    if (bounds.length > 0) for (const family of forgetful) removed += await removeFacts(tx, family, bounds);
    if (removed > 0)
      await onRemoved(
        tx,
        bounds.map(({ player_id }) => player_id),
      );
    await tx.query('update pruned_fact set done_to = $2, step = pg_current_xact_id() where brand_id = $1', [
      brandId,
      playerIds.at(-1) ?? null,
    ]);
    return removed;
  });
}

/** For each player with facts before the horizon, how far they may be removed. */
async function boundsOf(tx: PoolClient, playerIds: readonly number[], horizon: Micros): Promise<Bound[]> {
  const parts: string[] = [];
  for (const table of forgetful.flatMap(({ tables }) => tables.filter(isForgotten))) {
    const keys = await primaryKeyOf(tx, `live.${table.name}`);
    const old = (schema: string) =>
      `(select t as whole, t.*, (${table.ages_by}) as pruned_at from ${schema}.${table.name} t
        where player_id = any ($1::bigint[]) and ${olderThan(table, '$2')})`;
    parts.push(`select player_id, min(coalesce(l.pruned_at, b.pruned_at)) filter (where l.whole::text is distinct from b.whole::text) as differs
      from ${old('live')} l full join ${old('baseline')} b using (${keys.join(', ')}) group by player_id`);
  }
  const { rows } = await tx.query<{ player_id: number; differs: Micros | null }>(
    `select player_id, min(differs) as differs from (${parts.join(' union all ')}) t group by player_id`,
    [playerIds, timestamptzText(horizon)],
  );
  const outcome = rows.length === 0 ? new Map<number, Micros>() : await oldestLateEvent(tx, playerIds);
  return rows.map(({ player_id, differs }) => ({
    player_id,
    before: Math.min(
      horizon,
      ...[differs ?? horizon + reach, outcome.get(player_id) ?? horizon + reach].map((at) => at - reach),
    ),
  }));
}

async function primaryKeyOf(tx: PoolClient, table: string): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary order by a.attnum`,
    [table],
  );
  return rows.map((row) => row.name);
}
