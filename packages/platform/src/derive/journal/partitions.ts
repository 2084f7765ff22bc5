import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { transaction } from '../../database/index.ts';

/** Days ahead of today whose partitions are made in advance; today and those missing are made on demand. */
const daysAhead = 3;
const createLock = 0x6a_6f_75;
const dropLock = 0x6a_6f_76;
const day: Micros = 86_400_000_000;

/**
 * Days of receipt that the journal goes back: at 100 events/s about 1 GB a day with its indexes. What it told of older events,
 * when each came and how it met the state, is not told again; the events themselves are in the ledger for the whole history.
 */
export const journalRetentionDays = 90;
export const journalRetention: Micros = journalRetentionDays * day;

/**
 * The partitions of the journal, one per UTC day of receipt.
 *
 * A table of its own that is then attached takes only a lock on the parent that readers and writers do not mind;
 * `create table ... partition of` would need the strongest one, wait for every open transaction that ever looked at the
 * journal, and make everybody behind it wait too.
 */
export class JournalPartitions {
  readonly #pool: Pool;
  readonly #known = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Makes sure that rows received at these times have a place. Costs nothing for days seen before. */
  async ensure(times: Iterable<Micros>): Promise<void> {
    const days = new Set<number>();
    for (const time of times) days.add(Math.floor(time / day));
    for (const number of days) await this.#ensureDay(dayName(number * day));
  }

  /** Looks at every day again before the next rows: somebody else may have dropped one. */
  forget(): void {
    this.#known.clear();
  }

  /** The chore: today and the next days. Returns how many days it looked at. */
  async runOnce(now: Micros): Promise<{ days: number }> {
    const times = Array.from({ length: daysAhead + 1 }, (_, i) => now + i * day);
    await this.ensure(times);
    return { days: times.length };
  }

  /**
   * Drops the partitions whose last row is older than what is kept. Detached first, without the strong lock on the journal that
   * dropping a partition takes. Returns how many days went: none while another worker is at it, which would fail on a partition
   * that is being detached already.
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
      // Detaching is no part of a transaction: the lock belongs to the connection, and goes with one that failed.
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
      // Whoever was about to drop it died in between: it is taken back with its rows.
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
