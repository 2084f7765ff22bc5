import type { Pool } from 'pg';
import { vacuumTables } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { inventory } from './inventory/index.ts';

/**
 * Removes dead rows from all tables that an erasure may have changed. It does not reach what the server stores elsewhere: WAL,
 * backups, dumps (docs/guides/privacy.md).
 */
export async function vacuum(pool: Pool, ledger: Pick<Ledger, 'eraser'>): Promise<void> {
  const changed = inventory.filter(({ fate }) => fate.fate !== 'kept' && !isOfLedger(fate)).map(({ table }) => table);
  await ledger.eraser.purge();
  await vacuumTables(pool, [...changed, 'public.erasure']);
  await pool.query('vacuum pg_catalog.pg_statistic');
}

function isOfLedger(fate: (typeof inventory)[number]['fate']): boolean {
  return fate.fate === 'elsewhere' && fate.by === 'ledger';
}
