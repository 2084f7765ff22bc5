import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { transaction } from '../../database/index.ts';

/** The number of days after today for which partitions are made in advance. Other missing days are made on demand. */
const daysAhead = 3;
const createLock = 0x6a_6f_75;
const dropLock = 0x6a_6f_76;
const day: Micros = 86_400_000_000;

/**
 * The journal's retention in days of receipt. At 100 events/s a day takes about 1 GB with its indexes. The arrival time
 * and verdict of older events are permanently deleted; the events themselves stay in the ledger for the whole history.
 */
export const journalRetentionDays = 90;
export const journalRetention: Micros = journalRetentionDays * day;

/**
 * The partitions of the journal, one per UTC day of receipt.
 *
 * Each partition is created as a separate table and then attached, which takes only a lock on the parent that does not
 * block readers and writers. `create table ... partition of` would need the strongest lock. It would wait for every
 * open transaction that ever read the journal, and block all statements that come after it.
 */
export class JournalPartitions {
  readonly #pool: Pool;
  readonly #known = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Creates the missing partitions for rows received at these times. Days that were checked before need no query. */
  async ensure(times: Iterable<Micros>): Promise<void> {
    const days = new Set<number>();
    for (const time of times) days.add(Math.floor(time / day));
    for (const number of days) await this.#ensureDay(dayName(number * day));
  }

  /**
   * Forgets which partitions exist, because another process may have dropped one. `ensure` then checks each day again.
   */
  forget(): void {
    this.#known.clear();
  }

  /** Runs the chore: creates the partitions of today and the next days. Returns the number of days it checked. */
  async runOnce(now: Micros): Promise<{ days: number }> {
    const times = Array.from({ length: daysAhead + 1 }, (_, i) => now + i * day);
    await this.ensure(times);
    return { days: times.length };
  }

  /**
   * Drops the partitions whose last row is older than the retention. It detaches them first, to avoid the strong lock
   * on the journal that dropping a partition takes. Returns the number of days dropped. Returns 0 while another worker
   * does this, because detaching a partition that is already being detached fails.
   */
  async dropOld(now: Micros): Promise<{ dropped: number }> {
    const client = await this.#pool.connect();
    let broken = true;
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [dropLock]);
      const mine = rows[0]?.mine ?? false;
      const dropped = mine ? await this.#dropOld(client, now) : 0;
      if (mine) await client.query('select pg_advisory_unlock($1)', [dropLock]);
      broken = false;
      return { dropped };
    } finally {
      // Detaching cannot run in a transaction, so the lock belongs to the connection. Closing a failed connection
      // releases it.
      client.release(broken);
    }
  }

  async #dropOld(client: PoolClient, now: Micros): Promise<number> {
    const { rows } = await client.query<{ name: string; pending: boolean }>(
      `select c.relname as name, i.inhdetachpending as pending
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'journal'::regclass and c.relname < $1 order by c.relname`,
      [tableOf(dayName(now - journalRetention - day))],
    );
    for (const { name, pending } of rows) {
      const how = pending ? 'finalize' : 'concurrently';
      await client.query(`alter table journal detach partition ${name} ${how}`);
      await client.query(`drop table if exists ${name}`);
      this.#known.clear();
    }
    return rows.length;
  }

  async #ensureDay(name: string): Promise<void> {
    if (this.#known.has(name)) return;
    const table = tableOf(name);
    await transaction(this.#pool, async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [createLock]);
      const { rows } = await tx.query<{ state: 'attached' | 'detaching' | 'detached' }>(
        `select case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
           from pg_class c left join pg_inherits i on i.inhrelid = c.oid
          where c.oid = to_regclass($1)`,
        [table],
      );
      const state = rows[0]?.state;
      if (state === 'attached') return;
      // A process died while it dropped this partition. Attach it again with its rows.
      if (state === 'detaching') await tx.query(`alter table journal detach partition ${table} finalize`);
      if (state === undefined) await tx.query(`create table ${table} (like journal including all)`);
      await tx.query(
        `alter table journal attach partition ${table}
         for values from ('${name}T00:00:00Z') to ('${dayName(Date.parse(name) * 1000 + day)}T00:00:00Z')`,
      );
    });
    this.#known.add(name);
  }
}

function tableOf(name: string): string {
  return `journal_${name.replaceAll('-', '')}`;
}

/** YYYY-MM-DD in UTC. */
function dayName(at: Micros): string {
  return new Date(at / 1000).toISOString().slice(0, 10);
}
