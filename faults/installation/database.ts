import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { EmbeddedPostgres, migrate, openPool } from '../../packages/platform/src/database/index.ts';

/**
 * Runs `use` with a new migrated database and deletes it afterwards. The database is not durable, because no test cuts its
 * power.
 */
export async function withDatabase<T>(use: (pool: Pool, url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  const server = new EmbeddedPostgres({ folder, log: pino({ level: 'silent' }), durable: false });
  try {
    await server.start();
    await migrate(server.url);
    const pool = openPool(server.url, { name: 'faults' });
    return await use(pool, server.url).finally(() => pool.end());
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
