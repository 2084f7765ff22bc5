import type { ClientBase, Pool } from 'pg';
import type { Bucket, Cursor } from '../ledger/index.ts';

/** All SQL statements of the leases. Rows of several buckets are always locked in the order of their numbers. */

/** Whether the process has a connection to the server. The server stores only the first 63 bytes of a connection's name. */
const isConnected = (process: string) =>
  `exists (select from pg_stat_activity where datname = current_database() and application_name = left('croupier ' || ${process}, 63))`;

export interface WorkerBeat {
  worker_id: number;
  process: string;
  beat: number;
}

export interface SeenWorker extends WorkerBeat {
  /** True if the worker has no connection any more. False if its connections cannot be recognized. */
  gone: boolean;
}

export interface BucketOwner {
  bucket: Bucket;
  worker_id: number | null;
  fence: number;
}

export interface TakenBucket {
  bucket: Bucket;
  fence: number;
  cursor: Cursor | null;
}

export async function addWorker(pool: Pool, process: string): Promise<number> {
  const { rows } = await pool.query<{ worker_id: number }>(
    `insert into worker (process, seen) select $1, ${isConnected('$1')} returning worker_id`,
    [process],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the database returned no number for the worker');
  return row.worker_id;
}

/**
 * Counts the workers, without those whose process has ended. The row of a worker that was killed stays until another worker deletes it. So if it was
 * the only one, its row stays until the next worker starts.
 */
export async function countWorkers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ workers: number }>(
    `select count(*) as workers from worker where ${isConnected('process')} or not seen`,
  );
  return rows[0]?.workers ?? 0;
}

/** False if the row is gone, because others considered this worker dead. */
export async function beat(pool: Pool, workerId: number): Promise<boolean> {
  const { rowCount } = await pool.query('update worker set beat = beat + 1 where worker_id = $1', [workerId]);
  return rowCount === 1;
}

export async function workersAndOwners(pool: Pool): Promise<{ workers: SeenWorker[]; buckets: BucketOwner[] }> {
  const workers = await pool.query<SeenWorker>(
    `select worker_id, process, beat, seen and not ${isConnected('process')} as gone from worker`,
  );
  const buckets = await pool.query<BucketOwner>('select bucket, worker_id, fence from bucket order by bucket');
  return { workers: workers.rows, buckets: buckets.rows };
}

/**
 * Takes buckets whose owners have not changed since they were read. A row that is locked (by a transaction of its old
 * owner) is skipped: the next round tries again, after the old owner's connections have been ended.
 */
export async function takeBuckets(pool: Pool, workerId: number, seen: readonly BucketOwner[]): Promise<TakenBucket[]> {
  const { rows } = await pool.query<TakenBucket>(
    `with free as (
       select b.bucket
       from bucket b
       join unnest($2::smallint[], $3::bigint[]) as s(bucket, fence) on s.bucket = b.bucket and s.fence = b.fence
       order by b.bucket
       for update of b skip locked
     )
     update bucket b set worker_id = $1, fence = b.fence + 1
     from free where free.bucket = b.bucket
     returning b.bucket, b.fence, b.cursor`,
    [workerId, seen.map((s) => s.bucket), seen.map((s) => s.fence)],
  );
  return rows;
}

export async function freeBuckets(pool: Pool, workerId: number, buckets: readonly Bucket[]): Promise<void> {
  await pool.query(
    `update bucket b set worker_id = null, fence = b.fence + 1
     from (select bucket from bucket where bucket = any ($2::smallint[]) and worker_id = $1 order by bucket for update) own
     where own.bucket = b.bucket`,
    [workerId, buckets],
  );
}

/** How far each bucket is derived, as its owner last stored it; `beginning` if nothing was derived yet. */
export async function storedCursors(db: ClientBase | Pool, beginning: Cursor): Promise<Map<Bucket, Cursor>> {
  const { rows } = await db.query<{ bucket: Bucket; cursor: Cursor | null }>('select bucket, cursor from bucket');
  return new Map(rows.map(({ bucket, cursor }) => [bucket, cursor ?? beginning]));
}

/**
 * Like `storedCursors`, but for some buckets only, and it first waits for all transactions that move their cursors. While the server
 * commits such a transaction, the rows stay locked, so this reads the result of the commit.
 */
export async function settledCursors(
  pool: Pool,
  buckets: readonly Bucket[],
  beginning: Cursor,
): Promise<Map<Bucket, Cursor>> {
  const { rows } = await pool.query<{ bucket: Bucket; cursor: Cursor | null }>(
    'select bucket, cursor from bucket where bucket = any ($1::smallint[]) order by bucket for share',
    [buckets],
  );
  return new Map(rows.map(({ bucket, cursor }) => [bucket, cursor ?? beginning]));
}

/** Stores cursors if worker and fence still match. Returns the buckets for which they did. */
export async function storeCursors(
  db: ClientBase | Pool,
  workerId: number,
  moves: readonly { bucket: Bucket; fence: number; cursor: Cursor }[],
): Promise<Bucket[]> {
  const { rows } = await db.query<{ bucket: Bucket }>(
    `with own as (
       select b.bucket, m.cursor
       from bucket b
       join unnest($2::smallint[], $3::bigint[], $4::jsonb[]) as m(bucket, fence, cursor)
         on m.bucket = b.bucket and m.fence = b.fence
       where b.worker_id = $1
       order by b.bucket
       for update of b
     )
     update bucket b set cursor = own.cursor from own where own.bucket = b.bucket
     returning b.bucket`,
    [workerId, moves.map((m) => m.bucket), moves.map((m) => m.fence), moves.map((m) => JSON.stringify(m.cursor))],
  );
  return rows.map((row) => row.bucket);
}

/**
 * Deletes a dead worker and frees its buckets. It ends the worker's connections first: otherwise a process that was
 * stopped inside a transaction would keep its row locks until it wakes up, and block others that wait for them.
 */
export async function removeDeadWorker(pool: Pool, dead: WorkerBeat): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'croupier ' || $1 and pid <> pg_backend_pid()`,
    [dead.process],
  );
  // This deletes the worker only if its heartbeat still has not moved, because it may have woken up in between.
  await pool.query('delete from worker where worker_id = $1 and beat = $2', [dead.worker_id, dead.beat]);
}

export async function removeWorker(pool: Pool, workerId: number): Promise<void> {
  await pool.query('delete from worker where worker_id = $1', [workerId]);
}
