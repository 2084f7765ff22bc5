import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { Words } from '../language.ts';
import type { ErasureStep } from './steps.ts';

/** All SQL statements on erasures and on the keyed hashes that they leave. */

export interface ErasureRow {
  erasure_id: number;
  brand_id: number;
  player_id: number;
  user_key: Buffer;
  /** Null once the erasure is over. */
  user_id: string | null;
  forced: boolean;
  step: ErasureStep;
  /** Why it is currently held. */
  held_because: Words | null;
  /** How many times in a row the step was held, or failed. */
  tries: number;
  requested_at: Micros;
  /** When the player became unknown. */
  closed_at: Micros | null;
  finished_at: Micros | null;
  counts: Record<string, number>;
}

export interface ClaimedErasure extends ErasureRow {
  user_id: string;
  claim: number;
}

const columns = `erasure_id, brand_id, player_id, user_key, user_id, forced, step, held_because, tries, requested_at, closed_at,
  finished_at, counts`;

/**
 * Requests an erasure, once. A second request returns the first, may force it, and makes it due immediately. A worker that is
 * checking it at this moment loses its claim, and does nothing.
 */
export async function insertErasure(
  db: Pool | ClientBase,
  request: { brand_id: number; player_id: number; user_key: Buffer; user_id: string; forced: boolean; at: Micros },
): Promise<ErasureRow> {
  const { brand_id, player_id, user_key, user_id, forced, at } = request;
  const { rows } = await db.query<ErasureRow>(
    `insert into erasure as e (brand_id, player_id, user_key, user_id, forced, requested_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (player_id) where finished_at is null do update
       set forced = e.forced or excluded.forced,
           (tries, due_at, claim) = (
             select case when is_waiting then 0 else e.tries end, case when is_waiting then excluded.due_at else e.due_at end,
                    case when is_waiting then null else e.claim end
             from (values (e.step = 'waiting' and e.closed_at is null)) as s(is_waiting))
     returning ${columns}`,
    [brand_id, player_id, user_key, user_id, forced, timestamptzText(at)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no number for the erasure');
  return row;
}

export async function readErasure(pool: Pool, erasureId: number): Promise<ErasureRow | undefined> {
  const { rows } = await pool.query<ErasureRow>(`select ${columns} from erasure where erasure_id = $1`, [erasureId]);
  return rows[0];
}

/** Newest first. */
export async function readErasures(
  pool: Pool,
  brandId: number,
  { limit, before = null }: { limit: number; before?: number | null },
): Promise<ErasureRow[]> {
  const { rows } = await pool.query<ErasureRow>(
    `select ${columns} from erasure where brand_id = $1 and ($2::bigint is null or erasure_id < $2)
     order by erasure_id desc limit $3`,
    [brandId, before, limit],
  );
  return rows;
}

/** Returns undefined if the erasure has started or is over, because erased data cannot be restored. */
export async function cancelErasure(
  db: Pool | ClientBase,
  brandId: number,
  erasureId: number,
  at: Micros,
): Promise<ErasureRow | undefined> {
  const { rows } = await db.query<ErasureRow>(
    `update erasure set step = 'cancelled', due_at = null, claim = null, user_id = null, held_because = null, finished_at = $3
     where brand_id = $1 and erasure_id = $2 and step = 'waiting' and closed_at is null returning ${columns}`,
    [brandId, erasureId, timestamptzText(at)],
  );
  return rows[0];
}

/** A due erasure that no worker has claimed, and whose user_id is still known. A cancelled erasure has no user_id. */
const isDue = 'due_at <= $1 and user_id is not null';

/**
 * Claims the erasure that has been due longest. Those that wait for the vacuum come last, and together, because one vacuum serves them
 * all. A claim expires, so another worker continues a dead worker's erasure.
 */
export async function claimErasures(pool: Pool, now: Micros, until: Micros): Promise<ClaimedErasure[]> {
  const { rows: numbers } = await pool.query<{ claim: number }>(`select nextval('erasure_claim') as claim`);
  const { rows } = await pool.query<ClaimedErasure>(
    `with first as (
       select erasure_id, step from erasure where ${isDue}
       order by step = 'vacuum', due_at, erasure_id limit 1 for update skip locked
     ), others as (
       select erasure_id from erasure
       where ${isDue} and step = 'vacuum' and exists (select from first where first.step = 'vacuum') for update skip locked
     )
     update erasure set claim = $3, due_at = $2
     where erasure_id in (select erasure_id from first union all select erasure_id from others)
     returning ${columns}, claim`,
    [timestamptzText(now), timestamptzText(until), numbers[0]?.claim],
  );
  return rows.sort((a, b) => a.erasure_id - b.erasure_id);
}

/** A person may cancel an erasure while a worker has claimed it, and the claim may expire in the meantime. */
const isClaimed = `claim = $2 and step not in ('cancelled', 'done')`;

/** Extends the claims until the given time. @returns false if one was lost */
export async function renewClaims(pool: Pool, erasures: readonly ClaimedErasure[], until: Micros): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update erasure e set due_at = $3 from unnest($1::bigint[], $2::bigint[]) as k(erasure_id, claim)
     where e.erasure_id = k.erasure_id and e.claim = k.claim and e.step not in ('cancelled', 'done')`,
    [erasures.map((one) => one.erasure_id), erasures.map((one) => one.claim), timestamptzText(until)],
  );
  return rowCount === erasures.length;
}

/** Locks an erasure that has not started, until the transaction ends. Undefined if it was cancelled, or the claim was lost. */
export async function lockWaiting(
  tx: ClientBase,
  { erasure_id, claim }: ClaimedErasure,
): Promise<Pick<ErasureRow, 'forced'> | undefined> {
  const { rows } = await tx.query<{ forced: boolean }>(
    `select forced from erasure
     where erasure_id = $1 and claim = $2 and step = 'waiting' and closed_at is null for update`,
    [erasure_id, claim],
  );
  return rows[0];
}

export interface Turn {
  step: ErasureStep;
  held_because: Words | null;
  tries: number;
  due_at: Micros | null;
  finished_at: Micros | null;
  counts: Record<string, number>;
}

/** Stores the progress of an erasure. False if it was cancelled, or the claim was lost to another worker. */
export async function noteTurn(
  db: Pool | ClientBase,
  { erasure_id, claim, counts: before }: ClaimedErasure,
  turn: Turn,
): Promise<boolean> {
  const counts = { ...before };
  for (const [name, count] of Object.entries(turn.counts)) counts[name] = (counts[name] ?? 0) + count;
  const { rowCount } = await db.query(
    `update erasure set step = $3, held_because = $4, due_at = $5, finished_at = $6, counts = $7, tries = $8,
       user_id = case when $6::timestamptz is null then user_id end
     where erasure_id = $1 and ${isClaimed}`,
    [
      erasure_id,
      claim,
      turn.step,
      turn.held_because,
      turn.due_at === null ? null : timestamptzText(turn.due_at),
      turn.finished_at === null ? null : timestamptzText(turn.finished_at),
      counts,
      turn.tries,
    ],
  );
  return rowCount === 1;
}

/**
 * Replaces the player by a tombstone and adds the player to the list of erased ones. Call it under the exclusive lock on live
 * state.
 */
export async function bury(
  tx: ClientBase,
  erasure: Pick<ErasureRow, 'erasure_id' | 'player_id' | 'brand_id' | 'user_key'>,
  { name, at, until }: { name: string; at: Micros; until: Micros },
): Promise<void> {
  const { rows } = await tx.query<{ bucket: number }>(
    'update player set user_id = $2, erased_at = $3 where player_id = $1 returning bucket',
    [erasure.player_id, name, timestamptzText(at)],
  );
  await tx.query(
    `insert into erased_user (user_key, brand_id, bucket, erased_at, until) values ($1, $2, $3, $4, $5)
     on conflict (user_key) do update set erased_at = excluded.erased_at, until = excluded.until`,
    [erasure.user_key, erasure.brand_id, rows[0]?.bucket, timestamptzText(at), timestamptzText(until)],
  );
  await tx.query('update erasure_epoch set epoch = epoch + 1');
  await tx.query('update erasure set closed_at = $2 where erasure_id = $1', [erasure.erasure_id, timestamptzText(at)]);
}

/** Deletes hashes that have expired. After that, the user_id may become a player again. */
export async function forgetErased(pool: Pool, now: Micros): Promise<number> {
  const { rows } = await pool.query<{ gone: number }>(
    `with gone as (delete from erased_user where until <= $1 returning 1),
          moved as (update erasure_epoch set epoch = epoch + 1 where exists (select from gone))
     select count(*) as gone from gone`,
    [timestamptzText(now)],
  );
  return rows[0]?.gone ?? 0;
}

export type Leftover = { writer_id: number; seq: number; bucket: number };

export async function readLeftovers(pool: Pool, limit: number): Promise<Leftover[]> {
  const { rows } = await pool.query<Leftover>(
    'select writer_id, seq, bucket from erasure_leftover order by writer_id, seq, bucket limit $1',
    [limit],
  );
  return rows;
}

export async function deleteLeftovers(pool: Pool, leftovers: readonly Leftover[]): Promise<void> {
  await pool.query(
    `delete from erasure_leftover l using unnest($1::int[], $2::bigint[], $3::smallint[]) as k(writer_id, seq, bucket)
     where l.writer_id = k.writer_id and l.seq = k.seq and l.bucket = k.bucket`,
    [leftovers.map((l) => l.writer_id), leftovers.map((l) => l.seq), leftovers.map((l) => l.bucket)],
  );
}
