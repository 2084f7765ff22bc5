import type { Pool, PoolClient } from 'pg';
import { removalLock } from '../history/removal.ts';

/**
 * The connection of a running rebuild holds this lock, so only one rebuild runs at a time. If no connection holds the lock, the
 * schema of a rebuild is a leftover.
 */
const rebuildLock = 0x72_65_62;

export class RebuildRunning extends Error {
  override name = 'RebuildRunning';
  constructor() {
    super('another rebuild is running; wait for it or cancel it');
  }
}

/**
 * The right to run a rebuild. It belongs to a connection, so the death of the process releases it. While the lock is held, no old facts are
 * removed: otherwise the live counterparts of rows copied from the baseline could be removed.
 */
export class RebuildLock {
  readonly client: PoolClient;
  /** Aborted when the connection breaks: another rebuild may start then, and old facts may be removed. */
  readonly lost: AbortSignal;

  private constructor(client: PoolClient, lost: AbortSignal) {
    this.client = client;
    this.lost = lost;
  }

  /** @throws {RebuildRunning} */
  static async take(pool: Pool): Promise<RebuildLock> {
    const client = await pool.connect();
    const lost = new AbortController();
    // This handler stays for the life of the connection, because a rebuild leaves the connection idle for hours.
    client.on('error', (cause) =>
      lost.abort(new Error('the connection that holds the lock of a rebuild was lost', { cause })),
    );
    try {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
        rebuildLock,
      ]);
      if (!rows[0]?.locked) throw new RebuildRunning();
      await client.query('select pg_advisory_lock_shared($1)', [removalLock]);
      return new RebuildLock(client, lost.signal);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Released right away, so that the next rebuild need not wait until the connection is closed. */
  async release(): Promise<void> {
    try {
      await this.client.query('select pg_advisory_unlock_all()');
    } finally {
      this.client.release(true);
    }
  }
}
