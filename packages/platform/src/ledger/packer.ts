import type { Pool, PoolClient } from 'pg';
import { enterAsPacker, leaveAsPacker } from './history-store.ts';

/**
 * Does what only one process at a time may do: packing, dropping, erasing. 'busy' when another is at it.
 *
 * The lock is gone when this returns or throws, so that a call which is made again at once finds it free. A connection that cannot give it
 * back is closed, and with it go its transaction and the lock.
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
