import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import { families } from '../families/index.ts';
import { type Bound, isForgotten, olderThan, removeFacts } from './going.ts';
import { forgetLateEvents, oldestLateEvent } from './late.ts';
import { removalLock } from './removal.ts';
import { enterStep } from './step.ts';
import { day, dayName, lateAfter, reach } from './too-old.ts';

/*
 * Removes facts that are kept for the history only (casino rounds, custom events, site events), from the live tables and the baseline in one
 * transaction, so that "live = baseline + kept ledger" holds at every moment.
 *
 * A fact may go when no event that comes, and none that the ledger keeps and a rebuild would apply again, can meet it:
 *
 *   1. it is `reach` older than the oldest event that may come or is kept: the beginning of the history, less `lateAfter`
 *   2. it is `reach` older than whatever late events of its player, which the ledger keeps, have met: facts at their own
 *      timestamps, or those that they name, such as the bet of a rollback or the first of a re-stamped retry (late.ts)
 *   3. its row is the same on both sides, and so is every older row of its player. That follows from the other two; should it not
 *      hold, for whatever reason, then the row is evidence, and stays
 *
 * What was counted of the facts stays. Dates of the lifetime, which are read from the facts when one leaves, are taken into a
 * floor first (totals/floor.ts).
 */

/**
 * Players whose facts are removed in one transaction: some milliseconds for a week of theirs, most of it reading their look-up
 * rows. Of a past that was imported at once a player may lose 100,000 rounds, which take seconds.
 */
const playersPerStep = 100;
/** Once a week: every player's rows have to be looked at. */
const pruneEvery: Micros = 7 * day;

const forgetful = families.filter(({ tables }) => tables.some(isForgotten));

/** What there is to do for a brand: players behind `after`, in the order of their numbers. */
interface Work {
  brandId: number;
  horizon: Micros;
  after: number;
}

/**
 * Does what is due. How far it has come is kept with each step, so one that was stopped, by a restart or because a rebuild needs
 * the facts, goes on there when it is called again.
 *
 * @param pause is called between two steps, and may throw to stop
 */
export async function pruneFacts(
  pool: Pool,
  oldestKeptDay: Micros,
  brandIds: readonly number[],
  pause: () => Promise<void>,
): Promise<{ rows: number }> {
  let rows = 0;
  await forgetLateEvents(pool, dayName(oldestKeptDay - day));
  for (const brandId of brandIds) {
    let work = await workOf(pool, brandId, oldestKeptDay - lateAfter - reach);
    while (work !== undefined) {
      const players = await playersOf(pool, work);
      const removed = await pruneStep(pool, work, players);
      if (removed === undefined) return { rows };
      rows += removed;
      const last = players.at(-1);
      work = last === undefined ? undefined : { ...work, after: last };
      await pause();
    }
  }
  return { rows };
}

/** What was begun; otherwise, once a week, the horizon is moved on. */
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
 * Moves the horizon of a brand on. Alone with the live state for a moment: batches under way have noted what their events met, and
 * later ones find the horizon, take what lies behind it for too old, and look out for steps (removal.ts).
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

/** Returns how many facts were removed; undefined when it must not, because somebody needs them. */
async function pruneStep(
  pool: Pool,
  { brandId, horizon }: Work,
  playerIds: readonly number[],
): Promise<number | undefined> {
  return transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [removalLock]);
    if (!rows[0]?.mine) return undefined;
    await enterStep(tx);
    let removed = 0;
    const bounds = playerIds.length === 0 ? [] : await boundsOf(tx, playerIds, horizon);
    if (bounds.length > 0) for (const family of forgetful) removed += await removeFacts(tx, family, bounds);
    await tx.query('update pruned_fact set done_to = $2, step = pg_current_xact_id() where brand_id = $1', [
      brandId,
      playerIds.at(-1) ?? null,
    ]);
    return removed;
  });
}

/** Per player that has facts before the horizon, how far they may go. */
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
