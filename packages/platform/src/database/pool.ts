import pg from 'pg';
import type { Logger } from 'pino';
import { Client } from './client.ts';
import { types } from './types.ts';

export interface PoolOptions {
  /** Shown in pg_stat_activity, so that a person sees which process holds what. */
  name: string;
  /** Connections at most; a further caller waits `connectTimeoutMs`, then fails. Default 10. */
  max?: number;
  /** Waiting for a free or a new connection. Default 5000: a database that is away gives errors, never a hang. */
  connectTimeoutMs?: number;
  /** The server cancels a statement that runs longer. Default 30000; 0 = never (migrations, rebuilds). */
  statementTimeoutMs?: number;
  /** For statements that look rows up by their keys: see `byKeySettings`. Default false. */
  byKey?: boolean;
  /**
   * Statements that are given together are sent together, and answered in their order: one way to the server and back in place of one each.
   * Not for cursors. Default false.
   */
  pipelined?: boolean;
  /** Hears of connections that broke while nobody used them. */
  log?: Logger;
}

/**
 * The server cancels a statement in time. Where it cannot, because it is stopped or cut off without a word, the client
 * gives up this much later; without that its caller would wait for the kernel, which takes 15 minutes.
 */
const silenceMs = 5_000;
/** The first probe of an idle connection; the kernel's own default is 2 hours. */
const keepAliveDelayMs = 10_000;

/** Where statements find their tables, which they name without a schema (docs/decisions/1202). New ones are made in the first. */
const schemas = 'public,live';

const defaults = { max: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
/** A connection that nobody used for so long is closed. */
const idleTimeoutMs = 60_000;

/** Settings of one connection: also for a client outside a pool, such as the ledger's writer. */
export function connectionConfig(url: string, options: PoolOptions): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    application_name: `croupier ${options.name}`,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    ...timeLimits(options.statementTimeoutMs ?? defaults.statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    pipeline: options.pipelined ?? false,
    // Days of the database are days of UTC; days of a brand are computed with the brand's zone, always by name.
    options: `-c search_path=${schemas} -c TimeZone=UTC -c DateStyle=ISO${options.byKey ? byKeySettings : ''}`,
  };
}

/**
 * A batch looks some thousand rows up by their keys, whatever the size of the table. The planner does not know how many keys
 * an array holds, and a table that was empty when a statement was planned counts as small until it is analyzed: so it reads whole
 * tables, on a new installation for minutes. Here every look-up goes through its index, by a plan that is made once: 12 %
 * more events a second. Not for reports, which want the other ways.
 */
const byKeySettings =
  ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan';

function timeLimits(statementTimeoutMs: number): pg.ClientConfig {
  if (statementTimeoutMs === 0) return { statement_timeout: 0 };
  return { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + silenceMs };
}

export function openPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(url, options),
    Client,
    max: options.max ?? defaults.max,
    idleTimeoutMillis: idleTimeoutMs,
  });
  // The pool replaces it by itself, but without a listener of its own it would end the process.
  pool.on('error', (error) =>
    options.log?.warn({ err: error, pool: options.name }, 'an idle database connection broke'),
  );
  return pool;
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. A connection whose state is
 * then unknown (the rollback failed too) is closed, not handed to the next caller.
 */
export async function transaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (isSilence(error)) broken = error;
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The driver's word for "no answer within query_timeout"; a rollback on that connection would wait as long again. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
