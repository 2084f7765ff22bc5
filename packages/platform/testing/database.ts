import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { openPool } from '../src/database/index.ts';

export interface TestDatabase {
  pool: pg.Pool;
  /** For processes and pools that the test starts itself. */
  url: string;
}

/**
 * An empty, migrated database for this test file: `const { pool, url } = await setupDatabase()` at the top of the file.
 *
 * It is dropped after the file's own `afterAll` hooks. The file fails if a connection is still open then, because a missing
 * stop in a test is often missing in production, too.
 */
export async function setupDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const name = `croupier_test_${randomBytes(6).toString('hex')}`;
  // Copying its 13 MB as files takes half the time of copying them through the write-ahead log, which is PostgreSQL's default.
  await runOn(server, `create database ${name} template ${inject('databaseTemplate')} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = openPool(url.href, { name: 'test', max: 20 });
  afterAll(async () => {
    await pool.end();
    const left = await connectionsLeft(server, name);
    await runOn(server, `drop database ${name} with (force)`);
    if (left.length > 0) throw new Error(`left open after the tests: ${left.join('; ')}`);
  });
  return { pool, url: url.href };
}

/** A closed connection disappears from the server's list a moment later. */
async function connectionsLeft(server: string, name: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (let attempt = 0; ; attempt++) {
      const { rows } = await client.query<{ application_name: string; state: string; query: string }>(
        `select application_name, state, query from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
        [name],
      );
      if (rows.length === 0 || attempt === 40) {
        return rows.map((row) => `${row.application_name} (${row.state}): ${row.query.slice(0, 120)}`);
      }
      await delay(50);
    }
  } finally {
    await client.end();
  }
}

async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
