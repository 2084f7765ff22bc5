import pg from 'pg';
import type { Logger } from 'pino';
import { Client, type ClientConfig } from './client.ts';
import { types } from './types.ts';

export interface PoolOptions {
  /** This name is shown in pg_stat_activity, so that a person sees which process holds which connections and locks. */
  name: string;
  /** Maximum number of connections. Further callers wait `connectTimeoutMs`, then fail. Default 10. */
  max?: number;
  /**
   * How long to wait for a free or a new connection. Default 5000: an unavailable database causes errors, never a hang.
   */
  connectTimeoutMs?: number;
  /** The server cancels a statement that runs longer. Default 30000; 0 = never (migrations, rebuilds). */
  statementTimeoutMs?: number;
  /**
   * For statements that look up rows by their keys: see `byKeySettings`. Statements that run often are prepared. Default
   * false.
   */
  byKey?: boolean;
  /** Logs connections that broke while idle. */
  log?: Logger;
}

/**
 * The server cancels a statement after its timeout. If it cannot, because it is suspended or unreachable, the client
 * gives up this much later. Otherwise the caller would wait until the kernel gives up, which takes 15 minutes.
 */
const silenceMs = 5_000;
/** The delay before the first keep-alive probe of an idle connection. The kernel's default is 2 hours. */
const keepAliveDelayMs = 10_000;

/**
 * The search path, because statements name tables without a schema (docs/decisions/1202). New tables are created in the
 * first schema.
 */
const schemas = 'public,live';

const defaults = { max: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
/** A connection that was idle for this long is closed. */
const idleTimeoutMs = 60_000;

/** The settings of one connection. Clients outside a pool, such as the ledger's writer, use them, too. */
export function connectionConfig(url: string, options: PoolOptions): ClientConfig {
  return {
    preparesStatements: options.byKey ?? false,
    connectionString: url,
    types,
    application_name: `croupier ${options.name}`,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    ...timeLimits(options.statementTimeoutMs ?? defaults.statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    // Days of the database are UTC days. Days of a brand are computed with the brand's zone, always by name.
    options: `-c search_path=${schemas} -c TimeZone=UTC -c DateStyle=ISO${options.byKey ? byKeySettings : ''}`,
  };
}

/**
 * A batch looks up a few thousand rows by their keys, in tables of any size. The planner does not know how
 * many keys an array contains. If a table was empty when a statement was planned, the planner also considers the table
 * small until it is analyzed. So it would scan whole tables, on a new installation for minutes. With these settings every
 * look-up uses its index, with a plan that is made once. That gives 12% more events per second. Do not use them for
 * reports, which need the other plans.
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
    // Statements that are passed to a connection together are sent together (await-all.ts).
    pipeline: true,
    max: options.max ?? defaults.max,
    idleTimeoutMillis: idleTimeoutMs,
  });
  // The pool replaces the connection automatically, but without this listener the error would end the process.
  pool.on('error', (error) =>
    options.log?.warn({ err: error, pool: options.name }, 'an idle database connection was lost'),
  );
  return pool;
}

/**
 * Runs `work` in one transaction: commits if it resolves, rolls back if it throws. If the state of the connection is
 * then unknown (the server did not answer, or the rollback failed, too), the connection is closed instead of passed to
 * the next caller.
 */
export async function transaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // `begin` is sent together with the first statements of `work`. If it fails, they fail, too.
    const beginning = client.query('begin');
    beginning.catch(() => {});
    const result = await work(client);
    await beginning;
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

/** Runs `work` on one connection, so that its statements are run in the order in which they are given. */
export async function onOneConnection<T>(
  db: pg.Pool | pg.ClientBase,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  if (!(db instanceof pg.Pool)) return work(db);
  const client = await db.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (isSilence(error)) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Returns whether the server did not answer within query_timeout, which the driver reports with this message. A rollback
 * on that connection would wait as long again.
 */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
