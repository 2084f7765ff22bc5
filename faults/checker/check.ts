import type { Books } from '@croupier/sandbox';
import pg from 'pg';
import { connectionConfig } from '../../packages/platform/src/database/index.ts';
import { consoleOf } from '../installation/console.ts';
import type { Installation } from '../installation/installation.ts';
import type { Traffic } from '../load/traffic.ts';
import type { Outcome } from '../outcome.ts';
import { judgeConservation } from './conservation.ts';
import { readEvidence } from './evidence.ts';
import { judgePlayers } from './player-truth.ts';
import { readFromConsole } from './read-console.ts';
import { judgeRebuilt } from './rebuilt.ts';
import { judgeRecovery } from './recovery.ts';

export interface Checked {
  installation: Installation;
  /** Read only. */
  pool: pg.Pool;
  traffic: Traffic;
  books: Books;
  allowance: number;
}

/**
 * Checks all promises about events. Call it after the faults, when everything works again and everything was published. It
 * trusts only the publisher's list and the casino's records; everything else is compared with them.
 */
export async function judgeAll({ installation, pool, traffic, books, allowance }: Checked): Promise<Outcome[]> {
  const console = consoleOf(installation);
  // First, because it publishes new events, which the other checks then include.
  const recovery = await judgeRecovery({ pool, console, traffic, books, allowance });
  const brandId = await brandIdOf(pool, installation.brandCode);
  const evidence = await readEvidence(pool, brandId);
  const { sent, publisher } = traffic;
  return [
    ...judgeConservation({ ...evidence, sent, acknowledged: publisher.acknowledged }),
    await judgePlayers(traffic.simulation.truth, readFromConsole(console, pool, brandId)),
    await judgeRebuilt(installation),
    recovery,
  ];
}

/** The checker only reads, and the database enforces that. */
export function openReadOnly(databaseUrl: string): pg.Pool {
  const config = connectionConfig(databaseUrl, { name: 'checker', statementTimeoutMs: 60_000 });
  const pool = new pg.Pool({ ...config, options: `${config.options} -c default_transaction_read_only=on`, max: 4 });
  // Its idle connections break when the server is killed; the pool opens new ones.
  pool.on('error', () => {});
  return pool;
}

export async function brandIdOf(pool: pg.Pool, code: string): Promise<number> {
  const { rows } = await pool.query<{ brand_id: number }>('select brand_id from brand where code = $1', [code]);
  if (rows[0] === undefined) throw new Error(`the platform has no brand ${code}`);
  return rows[0].brand_id;
}
