import type { Pool, PoolClient } from 'pg';
import { enterAsPacker, leaveAsPacker } from './history-store.ts';

/**
 * Runs `work` under a lock, because only one process at a time may pack, drop or erase. Returns 'busy' if another process
 * holds the lock.
 *
 * The lock is released when this function returns or throws, so an immediate second call finds it free. If a connection cannot
 * release it, the connection is closed, which also ends its transaction and the lock.
 */
export async function asPacker<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T | 'busy'> {
  const client = await pool.connect();
  let isSound = false;
  try {
    if (!(await enterAsPacker(client))) {
      isSound = true;
      return 'busy';
    }
    try {
      return await work(client);
    } finally {
      isSound = await leaveAsPacker(client).then(
        () => true,
        () => false,
      );
    }
  } finally {
    client.release(!isSound);
  }
}
