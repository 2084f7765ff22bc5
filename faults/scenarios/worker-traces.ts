import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Random } from '../../packages/sandbox/src/random.ts';
import { send } from '../installation/processes.ts';
import { until } from '../installation/until.ts';

/** What the database shows about workers: how many buckets each owns, and the state of their connections. */

export interface WorkerShare {
  worker_id: number;
  /** The application name of the process's connections; it contains the pid. */
  process: string;
  pid: number;
  buckets: number;
}

/** A transaction of derive that has written and waits for its worker to continue. */
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
  if (!Number.isInteger(pid)) throw new Error(`the worker ${process} does not report its pid`);
  return pid;
}

/** The connections of a worker process, by their application name. */
const ofWorker = `application_name ~ ('^croupier worker-.*-' || $1::text || '-[0-9a-f]+$')`;

/** Batches hold an advisory lock (against the swap of a rebuild); no other transaction of a worker does. */
async function batchOf(pool: Pool, workerPid: number): Promise<OpenBatch | undefined> {
  const { rows } = await pool.query<OpenBatch>(
    `select a.backend_xid::text as xid from pg_stat_activity a
     where ${ofWorker} and a.state = 'idle in transaction' and a.backend_xid is not null
       and exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory')`,
    [workerPid],
  );
  return rows[0];
}

/**
 * Stops a worker (SIGSTOP) in the middle of a batch: after its first write, before its commit. Stops and continues it
 * repeatedly until it is at that point.
 *
 * @throws if that does not happen within the limit, for example because nothing is being derived. The worker then runs.
 */
export function stopInBatch(
  pool: Pool,
  workerPid: number,
  options: { random: Random; limitMs: number; signal?: AbortSignal | undefined },
): Promise<OpenBatch> {
  const { random, limitMs, signal } = options;
  const attempt = async () => {
    send(workerPid, 'SIGSTOP');
    try {
      // A statement that is already running completes first.
      for (let looks = 0; looks < 3; looks++) {
        const batch = await batchOf(pool, workerPid);
        if (batch !== undefined) return batch;
        await delay(10);
      }
    } catch (error) {
      send(workerPid, 'SIGCONT');
      throw error;
    }
    send(workerPid, 'SIGCONT');
    await delay(random.whole(5, 60));
    return undefined;
  };
  return until('a worker to be in the middle of a batch', attempt, { limitMs, everyMs: 1, signal });
}

/** Returns the state of the transaction: committed, aborted, or in progress. */
export async function fateOf(pool: Pool, { xid }: OpenBatch): Promise<string> {
  const { rows } = await pool.query<{ fate: string }>('select pg_xact_status($1::xid8) as fate', [xid]);
  return rows[0]?.fate ?? 'forgotten';
}

export async function connectionsOf(pool: Pool, workerPid: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*) as n from pg_stat_activity where ${ofWorker}`, [
    workerPid,
  ]);
  return rows[0]?.n ?? 0;
}
