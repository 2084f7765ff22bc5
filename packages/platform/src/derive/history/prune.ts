import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import type { Derivation, DerivedTable } from '../derivation.ts';
import { families } from '../families.ts';
import { foldStatement } from '../totals/index.ts';
import { oldestLate, prunedFacts } from './late.ts';
import { day, lateAfter, reach } from './too-old.ts';

/*
 * Removes facts that are kept for the history only (casino rounds, custom events), from the live tables and the baseline in one
 * transaction, so that "live = baseline + kept ledger" holds at every moment.
 *
 * A fact may go when no event that comes, and none that the ledger keeps and a rebuild would apply again, can touch it:
 *
 *   1. it is `reach` older than the oldest such event may be: the beginning of the oldest kept day, less `lateAfter`, or the
 *      oldest late event that is kept
 *   2. its row is the same on both sides: then all that made it what it is lies in days that are dropped. A rollback that came
 *      months later makes them differ until its own day is sealed; all of the player's facts within `reach` of such a row wait
 *      with it, because sessions and rounds are computed from their neighbours
 *
 * What was counted of the facts stays. Dates of the lifetime, which are read from the facts when one leaves, are taken into a
 * floor first (totals/floor.ts).
 */

/** Players whose facts are removed in one transaction. */
const playersPerStep = 500;
/** Once a week: every player's rows have to be looked at. */
const pruneEvery: Micros = 7 * day;
/** Held by each step; shared by whoever needs that no fact goes meanwhile: a rebuild, an import. */
export const pruneLock = 0x70_72_75;

const forgetful = families.filter(({ tables }) => tables.some(isForgotten));

function isForgotten({ kept_for }: DerivedTable): boolean {
  return kept_for === 'history';
}

/** @param pause is called between two steps, and may throw to stop */
export async function pruneFacts(
  pool: Pool,
  oldestKeptDay: Micros,
  brandIds: readonly number[],
  pause: () => Promise<void>,
): Promise<{ rows: number }> {
  let rows = 0;
  if (forgetful.length === 0) return { rows };
  for (const brandId of brandIds) {
    const horizon = await advance(pool, brandId, oldestKeptDay);
    if (horizon === undefined) continue;
    for (let after = 0; ; ) {
      const players = await playersOf(pool, brandId, after);
      const last = players.at(-1);
      if (last === undefined) break;
      const removed = await pruneStep(pool, brandId, players, horizon);
      if (removed === undefined) return { rows };
      rows += removed;
      after = last;
      await pause();
    }
  }
  return { rows };
}

/**
 * Moves the horizon of a brand on, if it is time. Alone with the live state for a moment: batches under way have noted their late
 * events, and later ones find the horizon and take what lies behind it for too old.
 */
async function advance(pool: Pool, brandId: number, oldestKeptDay: Micros): Promise<Micros | undefined> {
  const due = async (db: Pool | PoolClient) => {
    const oldest = Math.min(oldestKeptDay - lateAfter, (await oldestLate(db)).get(brandId) ?? oldestKeptDay);
    const horizon = oldest - reach;
    const before = (await prunedFacts(db)).get(brandId);
    return before !== undefined && horizon < before + pruneEvery ? undefined : horizon;
  };
  if ((await due(pool)) === undefined) return undefined;
  return transaction(pool, async (tx) => {
    await enterLiveAlone(tx);
    const horizon = await due(tx);
    if (horizon === undefined) return undefined;
    await tx.query(
      `insert into pruned_fact (brand_id, pruned_to) values ($1, $2)
       on conflict (brand_id) do update set pruned_to = excluded.pruned_to`,
      [brandId, timestamptzText(horizon)],
    );
    return horizon;
  });
}

async function playersOf(pool: Pool, brandId: number, after: number): Promise<number[]> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and player_id > $2 order by player_id limit $3',
    [brandId, after, playersPerStep],
  );
  return rows.map((row) => row.player_id);
}

/** Returns how many rows of facts were removed from the live tables; undefined when it must not, because somebody needs them. */
async function pruneStep(
  pool: Pool,
  brandId: number,
  playerIds: readonly number[],
  horizon: Micros,
): Promise<number | undefined> {
  return transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [pruneLock]);
    if (!rows[0]?.mine) return undefined;
    // An import may have reached further back since the horizon was set.
    const before = Math.min(horizon, ((await oldestLate(tx)).get(brandId) ?? horizon + reach) - reach);
    const bounds = await boundsOf(tx, playerIds, before);
    if (bounds.length === 0) return 0;
    let removed = 0;
    for (const family of forgetful) removed += await pruneFamily(tx, family, bounds);
    return removed;
  });
}

interface Bound {
  player_id: number;
  before: Micros;
}

/** Per player that has facts before the horizon, how far they may go. */
async function boundsOf(tx: PoolClient, playerIds: readonly number[], horizon: Micros): Promise<Bound[]> {
  const parts: string[] = [];
  for (const table of forgetful.flatMap(({ tables }) => tables.filter(isForgotten))) {
    const keys = await primaryKeyOf(tx, table.name);
    const old = (schema: string) =>
      `(select t as whole, t.*, (${table.ages_by}) as pruned_at from ${schema}.${table.name} t
        where player_id = any ($1::bigint[]) and ${table.ages_by} < $2)`;
    parts.push(`select player_id, min(coalesce(l.pruned_at, b.pruned_at)) filter (where l.whole::text is distinct from b.whole::text) as differs
      from ${old('live')} l full join ${old('baseline')} b using (${keys.join(', ')}) group by player_id`);
  }
  const { rows } = await tx.query<{ player_id: number; differs: Micros | null }>(
    `select player_id, min(differs) as differs from (${parts.join(' union all ')}) t group by player_id`,
    [playerIds, timestamptzText(horizon)],
  );
  return rows.map(({ player_id, differs }) => ({
    player_id,
    before: differs === null ? horizon : Math.min(horizon, differs - reach),
  }));
}

async function primaryKeyOf(tx: PoolClient, table: string): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary order by a.attnum`,
    [`live.${table}`],
  );
  return rows.map((row) => row.name);
}

async function pruneFamily(tx: PoolClient, family: Derivation, bounds: readonly Bound[]): Promise<number> {
  const values = [bounds.map((bound) => bound.player_id), bounds.map((bound) => timestamptzText(bound.before))];
  const facts = family.tables.filter(isForgotten);
  const given = 'bound as (select * from unnest($1::bigint[], $2::timestamptz[]) as k(player_id, before))';
  const going = facts.map(
    ({ name, ages_by }) =>
      `${name} as (select t.* from live.${name} t join bound using (player_id) where ${ages_by} < bound.before)`,
  );
  for (const { spec } of family.totals ?? []) {
    if (!spec.forgets) continue;
    for (const schema of ['live', 'baseline']) {
      await tx.query(foldStatement(spec, schema, [given, ...going].join(', '), '$1::bigint[]'), values);
    }
  }
  let removed = 0;
  for (const schema of ['live', 'baseline'] as const) {
    for (const fact of facts) {
      const { rowCount } = await tx.query(
        `with ${given} delete from ${schema}.${fact.name} t using bound
         where t.player_id = bound.player_id and ${fact.ages_by} < bound.before`,
        values,
      );
      if (schema === 'live') removed += rowCount ?? 0;
    }
    for (const { name, goes_with } of family.tables) {
      if (goes_with === undefined) continue;
      const same = goes_with.by.map((column) => `f.${column} = p.${column}`).join(' and ');
      await tx.query(
        `delete from ${schema}.${name} p where p.player_id = any ($1::bigint[])
         and not exists (select from ${schema}.${goes_with.table} f where ${same})`,
        [values[0]],
      );
    }
  }
  return removed;
}
