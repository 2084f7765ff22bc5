import type { Pool } from 'pg';

/** What the database shows of workers: who owns how much, and what their connections are doing. */

export interface WorkerShare {
  worker_id: number;
  /** The name that the process gave its pool; it holds the pid. */
  process: string;
  pid: number;
  buckets: number;
}

/** A transaction of derive that has written and waits for its worker to go on. */
export interface OpenBatch {
  xid: string;
}

export async function ownersOf(pool: Pool): Promise<WorkerShare[]> {
  const { rows } = await pool.query<Omit<WorkerShare, 'pid'>>(
    `select w.worker_id, w.process, count(b.bucket) as buckets
     from worker w left join bucket b using (worker_id) group by w.worker_id order by w.worker_id`,
  );
  return rows.map((row) => ({ ...row, pid: pidIn(row.process) }));
}

/** `worker-<host>-<pid>-<random>` */
function pidIn(process: string): number {
  const pid = Number(/-(\d+)-[0-9a-f]+$/.exec(process)?.[1]);
  if (!Number.isInteger(pid)) throw new Error(`the worker ${process} does not tell its pid`);
  return pid;
}

/** Batches hold an advisory lock (against a rebuild that swaps); no other transaction of a worker does. */
export async function batchOf(pool: Pool, { process }: WorkerShare): Promise<OpenBatch | undefined> {
  const { rows } = await pool.query<OpenBatch>(
    `select a.backend_xid::text as xid from pg_stat_activity a
     where a.application_name = 'croupier ' || $1 and a.state = 'idle in transaction' and a.backend_xid is not null
       and exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory')`,
    [process],
  );
  return rows[0];
}

/** committed, aborted, or in progress. */
export async function fateOf(pool: Pool, { xid }: OpenBatch): Promise<string> {
  const { rows } = await pool.query<{ fate: string }>('select pg_xact_status($1::xid8) as fate', [xid]);
  return rows[0]?.fate ?? 'forgotten';
}

export async function connectionsOf(pool: Pool, { process }: WorkerShare): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity where application_name = 'croupier ' || $1`,
    [process],
  );
  return rows[0]?.n ?? 0;
}
