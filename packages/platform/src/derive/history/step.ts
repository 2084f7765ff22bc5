import type { PoolClient } from 'pg';

/**
 * Each step that writes the baseline holds this lock in its transaction. One worker at a time works on the history, by
 * a lock of its connection. If that connection breaks while the worker lives, a second worker starts next to it, and
 * only this lock separates the last step of the first from the first step of the second. In sequence they do no harm,
 * because events applied twice change nothing.
 */
const stepLock = 0x68_69_74;

/** @throws if another worker is in a step; then nothing has changed */
export async function enterStep(tx: PoolClient): Promise<void> {
  const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [stepLock]);
  if (!rows[0]?.mine) throw new Error('another worker is working on the history');
}
