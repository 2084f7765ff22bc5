import type { Pool, PoolClient } from 'pg';
import { cutConnection } from '../database/index.ts';

/**
 * Runs `work` with a pool whose connections all share one transaction, which is always rolled back. Stages work as usual,
 * and no other transaction ever sees their changes.
 *
 * The transactions of the stages become savepoints. They must not overlap, so do not start background work with such a pool.
 *
 * @param signal ends the work: its next statement, or the current one, fails
 */
export async function rolledBack<T>(pool: Pool, work: (inside: Pool) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const client = await pool.connect();
  const release = releaseOf(client, signal);
  let broken = true;
  try {
    await client.query('begin');
    try {
      return await work(poolOf(client));
    } finally {
      await client.query('rollback');
      broken = false;
    }
  } finally {
    release(broken);
  }
}

/**
 * Returns the function that releases a connection. If the signal aborts before that, the connection is closed, and its statement
 * fails immediately.
 */
export function releaseOf(client: PoolClient, signal: AbortSignal | undefined): (broken: boolean) => void {
  const cut = () => cutConnection(client);
  signal?.addEventListener('abort', cut);
  if (signal?.aborted) cut();
  return (broken) => {
    signal?.removeEventListener('abort', cut);
    client.release(broken);
  };
}

type Send = (...statement: unknown[]) => Promise<unknown>;

function poolOf(client: PoolClient): Pool {
  const send = oneByOne(client.query.bind(client) as Send);
  const pool = { query: send, connect: async () => connectionOf(send) };
  return pool as unknown as Pool;
}

/** The driver accepts one query at a time. */
function oneByOne(send: Send): Send {
  let last: Promise<unknown> = Promise.resolve();
  return (...statement) => {
    const next = last.then(() => send(...statement));
    last = next.catch(() => {});
    return next;
  };
}

/** Replaces transactions by savepoints. */
function connectionOf(send: Send): PoolClient {
  let depth = 0;
  const query = async (...statement: unknown[]): Promise<unknown> => {
    const [text] = statement;
    if (text === 'commit') return send(`release savepoint inner_${depth--}`);
    if (text === 'rollback') {
      await send(`rollback to savepoint inner_${depth}`);
      return send(`release savepoint inner_${depth--}`);
    }
    if (typeof text === 'string' && /^begin\b/.test(text)) return send(`savepoint inner_${++depth}`);
    return send(...statement);
  };
  const connection = {
    query,
    release: () => {},
    on: () => connection,
    off: () => connection,
    removeListener: () => connection,
  };
  return connection as unknown as PoolClient;
}
