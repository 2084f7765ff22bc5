import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { EmbeddedPostgres, migrate } from '../src/database/index.ts';
import { createLog } from '../src/log.ts';

/*
 * All test files of a run share one PostgreSQL server. It has one migrated database, the template, to which nothing connects. Each test
 * file gets a clone of the template (database.ts). A clone takes about 40 ms, so no file needs to start a server or to run migrations.
 *
 * If TEST_DATABASE_URL or DATABASE_URL is set, the tests use that server, and create and drop only databases named croupier_test_* there.
 * Otherwise they use an embedded server in a temporary folder, with fsync off.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server's maintenance database, as a user who may create databases. */
    databaseServer: string;
    databaseTemplate: string;
  }
}

const folderPrefix = 'croupier-test-';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startServer();
  const template = `croupier_test_template_${process.pid}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`create database ${template} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`);
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  await migrate(url.href);
  project.provide('databaseServer', server.url);
  project.provide('databaseTemplate', template);
  return async () => {
    await run(`drop database ${template}`);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  await removeLeftovers();
  const folder = await mkdtemp(path.join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const postgres = new EmbeddedPostgres({
    folder,
    log: createLog({ level: 'error', role: 'test' }),
    durable: false,
  });
  await postgres.start();
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Deletes folders of runs that were killed. The watchdog of the embedded server has already stopped their servers. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^croupier-test-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid))
      await rm(path.join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
