import type { PoolClient } from 'pg';

/**
 * Each step that writes the baseline holds this lock in its transaction. A lock of the worker's connection ensures that
 * one worker at a time works on the history. If that connection breaks while the worker still runs, a second worker
 * starts. Then only this lock keeps the first worker's last step from running at the same time as the second worker's
 * first step. One after the other, the two steps do no harm, because events applied twice change nothing.
 */
const stepLock = 0x68_69_74;

/** @throws if another worker is in a step; then nothing has changed */
export async function enterStep(tx: PoolClient): Promise<void> {
  const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [stepLock]);
  if (!rows[0]?.mine) throw new Error('another worker is working on the history');
}
