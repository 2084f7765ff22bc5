import type { PoolClient } from 'pg';
import { isContentFailure } from '../../database/index.ts';

export type Outcome<T> = { failed: false; result: T } | { failed: true; error: unknown };

/** Runs `work`. If it fails because of its data, the transaction continues as if it had not been called. */
export async function apart<T>(tx: PoolClient, work: () => Promise<T>): Promise<Outcome<T>> {
  await tx.query('savepoint apart');
  try {
    const result = await work();
    await tx.query('release savepoint apart');
    return { failed: false, result };
  } catch (error) {
    if (!isContentFailure(error)) throw error;
    await tx.query('rollback to savepoint apart');
    await tx.query('release savepoint apart');
    return { failed: true, error };
  }
}
