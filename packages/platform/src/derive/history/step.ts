import type { PoolClient } from 'pg';

/**
 * Held by the transaction of each step that writes the baseline. One worker at a time works on the history, by a lock of its
 * connection; should that connection break while the worker lives, a second one begins beside it, and only this keeps the last
 * step of the one and the first of the other apart. One after the other they do no harm: what is applied twice changes nothing.
 */
const stepLock = 0x68_69_74;

/** @throws when another worker is in a step; nothing has happened then */
export async function enterStep(tx: PoolClient): Promise<void> {
  const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [stepLock]);
  if (!rows[0]?.mine) throw new Error('another worker is working on the history');
}
