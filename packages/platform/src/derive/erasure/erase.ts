import type { Pool, PoolClient } from 'pg';
import { transaction } from '../../database/index.ts';
import { allTotals, derivedTables } from '../families/index.ts';
import { hasBaseline } from '../history/baseline.ts';
import { deleteInPortions } from '../history/portions.ts';
import { enterStep } from '../history/step.ts';
import { RebuildLock, RebuildRunning } from '../rebuild/lock.ts';
import { dropLeftovers } from '../rebuild/shadow.ts';

/*
 * Deletes what was derived from an erased player's events, from the live state and from the baseline. Sums over all
 * players stay:
 *
 *   live      a day of a roll-up = its players' day rows + erased_rollup, which records what this player had added
 *   baseline  a day of a roll-up = its players' day rows: what this player had added is subtracted, as in any rebuild
 *
 * So a rebuild, which no longer finds the player's events, gives the same result.
 *
 * No batch writes such a row anymore (`PlayerIds.withoutErased`), so there is nothing to wait for. A rebuild that
 * started earlier may hold the player's rows in its shadow and restore them. Therefore the erasure holds the lock of
 * rebuilds, and drops what a killed rebuild left behind.
 */

/** Runs `work` while no rebuild runs. @returns 'busy' if one does. */
export async function withoutRebuilds<T>(pool: Pool, work: () => Promise<T>): Promise<T | 'busy'> {
  const lock = await RebuildLock.take(pool).catch((error: unknown) => {
    if (error instanceof RebuildRunning) return undefined;
    throw error;
  });
  if (lock === undefined) return 'busy';
  try {
    await dropLeftovers(lock.client);
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Deletes everything derived about a player, including the journal. Returns the number of deleted rows per table. A
 * second call deletes nothing.
 */
export async function eraseDerived(pool: Pool, playerId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
  };
  const schemas = (await hasBaseline(pool)) ? ['live', 'baseline'] : ['live'];
  // Facts are deleted first, and in portions, because a player may have a million rounds. Nothing reads them anymore.
  for (const table of ['journal', 'late_event', 'rebuild_difference']) {
    count(table, await deletePortions(pool, table, playerId));
  }
  const days = new Set(allTotals.map(({ spec }) => `${spec.family}_day`));
  for (const schema of schemas) {
    for (const { name } of derivedTables) {
      if (days.has(name)) continue;
      count(`${schema}.${name}`, await deletePortions(pool, `${schema}.${name}`, playerId));
    }
  }
  await transaction(pool, async (tx) => {
    await enterStep(tx);
    for (const { rollup } of allTotals) {
      await rollup.keepOfErased(tx, [playerId]);
      if (schemas.includes('baseline')) await rollup.takeOut(tx, 'baseline', [playerId]);
    }
    for (const schema of schemas) {
      for (const name of days) count(`${schema}.${name}`, await deleteRows(tx, `${schema}.${name}`, playerId));
    }
  });
  return counts;
}

function deletePortions(pool: Pool, table: string, playerId: number): Promise<number> {
  return deleteInPortions(
    pool,
    // The statement names the player twice: in a partitioned table a ctid alone matches a row in each partition.
    `delete from ${table} where player_id = $1
     and ctid = any (array(select ctid from ${table} where player_id = $1 limit $2))`,
    String(playerId),
  );
}

async function deleteRows(tx: PoolClient, table: string, playerId: number): Promise<number> {
  const { rowCount } = await tx.query(`delete from ${table} where player_id = $1`, [playerId]);
  return rowCount ?? 0;
}
