import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { ErasureStep } from './steps.ts';

/** Every statement on erasures and on the keyed hashes that they leave. */

export interface ErasureRow {
  erasure_id: number;
  brand_id: number;
  player_id: number;
  user_key: Buffer;
  /** Null once it is over. */
  user_id: string | null;
  forced: boolean;
  step: ErasureStep;
  /** Why it does not go on at the moment. */
  held_because: string | null;
  requested_at: Micros;
  /** From then on the player was known no more. */
  closed_at: Micros | null;
  finished_at: Micros | null;
  counts: Record<string, number>;
}

export interface ClaimedErasure extends ErasureRow {
  user_id: string;
  claim: number;
}

const columns = `erasure_id, brand_id, player_id, user_key, user_id, forced, step, held_because, requested_at, closed_at, finished_at,
  counts`;

/** Asks for an erasure, once: a second request finds the first, and may force it. */
export async function insertErasure(
  db: Pool | ClientBase,
  request: { brand_id: number; player_id: number; user_key: Buffer; user_id: string; forced: boolean; at: Micros },
): Promise<ErasureRow> {
  const { brand_id, player_id, user_key, user_id, forced, at } = request;
  const { rows } = await db.query<ErasureRow>(
    `insert into erasure as e (brand_id, player_id, user_key, user_id, forced, requested_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (player_id) where finished_at is null do update set forced = e.forced or excluded.forced
     returning ${columns}`,
    [brand_id, player_id, user_key, user_id, forced, timestamptzText(at)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database gave the erasure no number');
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

/** Undefined when it has begun, or is over: what is erased cannot be brought back. */
export async function cancelErasure(
  db: Pool | ClientBase,
  brandId: number,
  erasureId: number,
  at: Micros,
): Promise<ErasureRow | undefined> {
  const { rows } = await db.query<ErasureRow>(
    `update erasure set step = 'cancelled', due_at = null, user_id = null, held_because = null, finished_at = $3
     where brand_id = $1 and erasure_id = $2 and step = 'waiting' and closed_at is null returning ${columns}`,
    [brandId, erasureId, timestamptzText(at)],
  );
  return rows[0];
}

/** Takes the one that is due longest. The claim runs out by itself: a dead worker's erasure goes on elsewhere. */
export async function claimErasure(pool: Pool, now: Micros, until: Micros): Promise<ClaimedErasure | undefined> {
  const { rows } = await pool.query<ClaimedErasure>(
    `update erasure set claim = nextval('erasure_claim'), due_at = $2
     where erasure_id = (
       select erasure_id from erasure where due_at <= $1 order by due_at, erasure_id limit 1 for update skip locked)
     returning ${columns}, claim`,
    [timestamptzText(now), timestamptzText(until)],
  );
  return rows[0];
}

export interface Turn {
  step: ErasureStep;
  held_because: string | null;
  due_at: Micros | null;
  finished_at: Micros | null;
  counts: Record<string, number>;
}

/** Notes where an erasure has come to. False when the claim was lost: somebody else is at it. */
export async function noteTurn(
  db: Pool | ClientBase,
  { erasure_id, claim, counts: before }: ClaimedErasure,
  turn: Turn,
): Promise<boolean> {
  const counts = { ...before };
  for (const [name, count] of Object.entries(turn.counts)) counts[name] = (counts[name] ?? 0) + count;
  const { rowCount } = await db.query(
    `update erasure set step = $3, held_because = $4, due_at = $5, finished_at = $6, counts = $7,
       user_id = case when $6::timestamptz is null then user_id end
     where erasure_id = $1 and claim = $2`,
    [
      ...[erasure_id, claim, turn.step, turn.held_because],
      turn.due_at === null ? null : timestamptzText(turn.due_at),
      turn.finished_at === null ? null : timestamptzText(turn.finished_at),
      counts,
    ],
  );
  return rowCount === 1;
}

/** Puts a tombstone in the player's place and lists the player as erased. To be called by the one who is alone in live state. */
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

/** Forgets hashes whose time is over: from then on the user_id may become a player again. */
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
