import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { EmbeddedPostgres, openPool } from '../packages/platform/src/database/index.ts';
import { nodeArguments, nodeEnvironment, type Role } from '../packages/platform/src/supervisor/index.ts';
import { freePort } from '../packages/platform/testing/free-port.ts';
import { type Child, startChild } from './child.ts';

export { freePort };

/** A whole platform for one bench: its own PostgreSQL with fsync on, api, and a worker if requested. */
export interface BenchPlatform {
  port: number;
  key: string;
  databaseUrl: string;
  pool: pg.Pool;
  /** Pids of api and worker, without PostgreSQL. */
  pids: number[];
  /** Kills the worker (SIGKILL), and starts another one. */
  replaceWorker(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'bench-key-0123456789abcdef0123456789abcdef';

export interface PlatformOptions {
  worker: boolean;
  /** Api processes that share the port. Default 1. */
  apis?: number;
  operatorUrl?: string;
  /** Further settings of the brand `bench` and of the installation, as in the configuration file. */
  brand?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  /** Keeps the database for later runs. Default: a temporary folder, deleted at the end. */
  folder?: string | undefined;
}

export const adminToken = 'bench-admin-token';

export async function startPlatform(options: PlatformOptions): Promise<BenchPlatform> {
  const folder = options.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'croupier-bench-')));
  await mkdir(folder, { recursive: true });
  const server = new EmbeddedPostgres({ folder: path.join(folder, 'data'), log: pino({ level: 'warn' }) });
  await server.start();
  const port = await freePort();
  const config = path.join(folder, 'croupier.yaml');
  const operator = options.operatorUrl
    ? { base_url: options.operatorUrl, auth: { type: 'api_key', value: 'bench' } }
    : undefined;
  await writeFile(
    config,
    JSON.stringify({
      ...options.settings,
      brands: [{ code: 'bench', name: 'Bench', api_keys: [{ name: 'main', key }], operator, ...options.brand }],
    }),
  );
  const env = {
    ...nodeEnvironment,
    CROUPIER_CONFIG: config,
    CROUPIER_SECRET: 'a secret of 32 characters for the bench',
    CROUPIER_ADMIN_TOKEN: adminToken,
    DATABASE_URL: server.url,
    DATA_DIR: path.join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  };
  // No limit: seeding a million players and the clean-up afterwards take minutes.
  const pool = openPool(server.url, { name: 'bench', statementTimeoutMs: 0 });
  const children: Child[] = [];
  const startRole = (role: Role) => startChild('packages/platform/src/main.ts', [role], env, nodeArguments(role));
  const pids: number[] = [];
  const replaceWorker = async () => {
    const worker = children.pop();
    worker?.process.kill('SIGKILL');
    await worker?.stop();
    const next = await startRole('worker');
    children.push(next);
    pids.splice(-1, 1, next.process.pid ?? 0);
  };
  const stop = async () => {
    await pool.end();
    for (const child of children) await child.stop();
    await server.stop();
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const apis = new Array<Role>(options.apis ?? 1).fill('api');
    for (const role of options.worker ? [...apis, 'worker' as const] : apis) {
      children.push(await startRole(role));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  pids.push(...children.flatMap((child) => child.process.pid ?? []));
  return { port, key, databaseUrl: server.url, pool, pids, replaceWorker, stop };
}
