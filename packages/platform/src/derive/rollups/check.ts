import type { ClientBase, Pool } from 'pg';
import { allTotals } from '../families/index.ts';
import type { RollupDifference } from '../totals/index.ts';

/**
 * Corrects every live roll-up for players whose rows are about to be replaced by those of another schema (a rebuild's).
 * Call it before that, in the same transaction, while no batch is running.
 *
 * @param source the source under which the correction is recorded. Any value is correct, because a day is the sum over its sources
 */
export async function correctRollups(
  tx: ClientBase,
  schema: string,
  playerIds: readonly number[],
  source: number,
): Promise<void> {
  for (const { rollup } of allTotals) await rollup.correct(tx, schema, playerIds, source);
}

/**
 * Days on which a roll-up differs from the sum of its players' day rows. There should never be any. Each family is
 * compared in one statement, so in one snapshot. It reads all day rows of the brand, so run it when there is little
 * traffic.
 */
export async function rollupDifferences(
  db: Pool | ClientBase,
  brandId: number | null,
  schema = 'live',
): Promise<RollupDifference[]> {
  const differences: RollupDifference[] = [];
  for (const { rollup } of allTotals) differences.push(...(await rollup.differences(db, brandId, schema)));
  return differences;
}
