import pg, { type Pool } from 'pg';
import type { Logger } from 'pino';
import type { Vault } from '../brands/index.ts';
import { connectionConfig, migrate, openPool, SchemaTooOld } from '../database/index.ts';
import type { Service } from '../service.ts';
import { type Replay, replay } from './backtest/replay.ts';
import { releaseOf } from './rolled-back.ts';
import { runScenario, type ScenarioResult } from './run.ts';
import type { Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import type { TimelineEntry } from './timeline.ts';

const insufficientPrivilege = '42501';
const duplicateDatabase = '42P04';
/** Key of the advisory lock in the database of the scenarios. The process that runs a scenario holds it. */
const lock = 1;

type Deps = { pool: Pool; vault: Vault; log: Logger; signal: AbortSignal };

/**
 * Runs scenarios in an empty database on the platform's server, so no row and no lock of a real player is touched. The first scenario
 * creates the database. The database is kept, and it stays empty. One scenario runs at a time.
 */
export class ScenarioRunner implements Service {
  readonly #options: { databaseUrl: string; vault: Vault; log: Logger };
  #pool: Promise<Pool> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #ending = new AbortController();

  constructor(options: { databaseUrl: string; vault: Vault; log: Logger }) {
    this.#options = options;
  }

  async start(): Promise<void> {}

  /** A scenario that is still running fails, because it may need more time than the process has left. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#ending = new AbortController();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
    this.#pool = undefined;
  }

  /** @throws {ScenarioError} if the server does not allow creating a database */
  async run(scenario: Scenario): Promise<ScenarioResult> {
    return this.#alone((deps) => runScenario(deps, scenario));
  }

  /** Replays a real player's events with a campaign; see replay.ts. */
  async replay(replayed: Replay): Promise<TimelineEntry[]> {
    return this.#alone((deps) => replay(deps, replayed), replayed.signal);
  }

  /** Scenarios and replays run one at a time, in this process and across all processes, because each creates a brand with the same code. */
  #alone<T>(work: (deps: Deps) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const stopped = this.#ending.signal;
    const ending = signal === undefined ? stopped : AbortSignal.any([stopped, signal]);
    const next = this.#last.then(() => this.#locked(work, ending));
    this.#last = next.catch(() => {});
    return next;
  }

  async #locked<T>(work: (deps: Deps) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.#pool ??= this.#open().catch((error) => {
      this.#pool = undefined;
      throw error;
    });
    const pool = await this.#pool;
    const client = await pool.connect();
    const release = releaseOf(client, signal);
    let broken = true;
    try {
      await client.query('select pg_advisory_lock($1)', [lock]);
      try {
        return await work({ ...this.#options, pool, signal });
      } finally {
        await client.query('select pg_advisory_unlock($1)', [lock]);
        broken = false;
      }
    } finally {
      release(broken);
    }
  }

  async #open(): Promise<Pool> {
    const { databaseUrl, log } = this.#options;
    const url = scratchUrl(databaseUrl);
    const name = url.pathname.slice(1);
    await makeDatabase(databaseUrl, name);
    await migrate(url.href).catch(async (error: unknown) => {
      if (!(error instanceof SchemaTooOld)) throw error;
      // The database contains no data. So if an earlier version of the platform created it, it is dropped and created again.
      await dropDatabase(databaseUrl, name);
      await makeDatabase(databaseUrl, name);
      await migrate(url.href);
    });
    // One connection holds the lock, the other one works.
    return openPool(url.href, { name: 'scenarios', max: 2, statementTimeoutMs: 0, log });
  }
}

export function scratchUrl(databaseUrl: string): URL {
  const url = new URL(databaseUrl);
  url.pathname = `${url.pathname}_scenarios`;
  return url;
}

async function makeDatabase(databaseUrl: string, name: string): Promise<void> {
  await onServer(databaseUrl, name, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  });
}

async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  await onServer(databaseUrl, name, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
  });
}

async function onServer(databaseUrl: string, name: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(connectionConfig(databaseUrl, { name: 'scenarios' }));
  await client.connect();
  try {
    await work(client);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === insufficientPrivilege)
      throw new ScenarioError(
        `campaign trials require an empty database ${name}: create it with the role of DATABASE_URL as owner, or give the role CREATEDB`,
      );
    if (code !== duplicateDatabase) throw error;
  } finally {
    await client.end();
  }
}
