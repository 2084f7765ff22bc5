import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { LedgerEvent, LedgerPosition } from '../../ledger/index.ts';
import { kindCodes, kindOf } from '../journal/index.ts';

export type Cause = 'unreadable' | 'failing';

/** An event to be parked; `reason` and `user_id` are those of the row that is made for its player, if there is none yet. */
export interface Parking {
  source: LedgerEvent;
  cause: Cause;
  reason: string;
  user_id: string | null;
}

/** Players, by `brand_id:player_hash`, whose events have to queue behind those that could not be applied. */
export async function failingPlayers(tx: ClientBase, buckets: readonly number[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ player: string }>({
    name: 'failing_players',
    text: `select brand_id || ':' || player_hash as player from parked where cause = 'failing' and bucket = any ($1::smallint[])`,
    values: [buckets],
  });
  return new Set(rows.map((row) => row.player));
}

export async function park(tx: ClientBase, parkings: readonly Parking[], now: Micros, retryAt: Micros): Promise<void> {
  if (parkings.length === 0) return;
  const heads = new Map(parkings.map((p) => [`${p.source.brand_id}:${p.source.player_hash}:${p.cause}`, p]));
  const head = [...heads.values()];
  await tx.query(
    `insert into parked (brand_id, player_hash, cause, bucket, user_id, reason, parked_at, retry_at)
     select brand_id, player_hash, cause, bucket, user_id, reason, $1, $2
     from unnest($3::int[], $4::numeric[], $5::text[], $6::smallint[], $7::text[], $8::text[])
       as p(brand_id, player_hash, cause, bucket, user_id, reason)
     on conflict (brand_id, player_hash, cause) do nothing`,
    [
      timestamptzText(now),
      timestamptzText(retryAt),
      head.map((p) => p.source.brand_id),
      head.map((p) => String(p.source.player_hash)),
      head.map((p) => p.cause),
      head.map((p) => p.source.bucket),
      head.map((p) => p.user_id),
      head.map((p) => p.reason),
    ],
  );
  await tx.query(
    `insert into parked_event (writer_id, seq, index, brand_id, player_hash, cause, bucket, kind, received_at)
     select * from unnest($1::int[], $2::bigint[], $3::int[], $4::int[], $5::numeric[], $6::text[], $7::smallint[],
                          $8::smallint[], $9::timestamptz[])
     on conflict (writer_id, seq, index) do update set cause = excluded.cause`,
    [
      parkings.map((p) => p.source.position.writer_id),
      parkings.map((p) => p.source.position.seq),
      parkings.map((p) => p.source.position.index),
      parkings.map((p) => p.source.brand_id),
      parkings.map((p) => String(p.source.player_hash)),
      parkings.map((p) => p.cause),
      parkings.map((p) => p.source.bucket),
      parkings.map((p) => kindCodes[p.source.kind]),
      parkings.map((p) => timestamptzText(p.source.received_at)),
    ],
  );
}

/** What waits for one player and cause. `player_hash` is text: it is beyond the safe integers. */
export interface Parked {
  brand_id: number;
  player_hash: string;
  cause: Cause;
  bucket: number;
  attempts: number;
}

export async function dueParked(db: Pool, buckets: readonly number[], now: Micros, limit: number): Promise<Parked[]> {
  const { rows } = await db.query<Parked>(
    `select brand_id, player_hash, cause, bucket, attempts from parked
     where bucket = any ($1::smallint[]) and retry_at <= $2 order by retry_at limit $3`,
    [buckets, timestamptzText(now), limit],
  );
  return rows;
}

/** The oldest events that wait there. */
export async function parkedPositions(tx: ClientBase, parked: Parked, limit: number): Promise<LedgerPosition[]> {
  const { rows } = await tx.query<LedgerPosition>(
    `select writer_id, seq, index from parked_event
     where brand_id = $1 and player_hash = $2 and cause = $3
     order by received_at, writer_id, seq, index limit $4`,
    [parked.brand_id, parked.player_hash, parked.cause, limit],
  );
  return rows;
}

/** Takes events out of the parking, and the player as well when nothing of it is left. True when it is empty. */
export async function unpark(tx: ClientBase, parked: Parked, positions: readonly LedgerPosition[]): Promise<boolean> {
  await tx.query(
    `delete from parked_event e using unnest($1::int[], $2::bigint[], $3::int[]) as k(writer_id, seq, index)
     where e.writer_id = k.writer_id and e.seq = k.seq and e.index = k.index`,
    [positions.map((p) => p.writer_id), positions.map((p) => p.seq), positions.map((p) => p.index)],
  );
  const { rowCount } = await tx.query(
    `delete from parked p where brand_id = $1 and player_hash = $2 and cause = $3
       and not exists (select from parked_event e
                       where e.brand_id = p.brand_id and e.player_hash = p.player_hash and e.cause = p.cause)`,
    [parked.brand_id, parked.player_hash, parked.cause],
  );
  return rowCount === 1;
}

export async function postpone(
  tx: ClientBase,
  parked: Parked,
  next: { attempts: number; retryAt: Micros; reason?: string },
): Promise<void> {
  await tx.query(
    `update parked set attempts = $4, retry_at = $5, reason = coalesce($6, reason)
     where brand_id = $1 and player_hash = $2 and cause = $3`,
    [
      parked.brand_id,
      parked.player_hash,
      parked.cause,
      next.attempts,
      timestamptzText(next.retryAt),
      next.reason ?? null,
    ],
  );
}

/** What a person sees of parked events: whose, why, since when, how many, when they are tried next. */
export interface ListedParking {
  brand_id: number;
  /** Null for events that are unreadable. */
  user_id: string | null;
  cause: Cause;
  reason: string;
  parked_at: Micros;
  attempts: number;
  retry_at: Micros;
  events: number;
  /** Kind and place of the oldest event: its body is in the ledger (`Ledger.at`). */
  oldest: { kind: string; received_at: Micros; position: LedgerPosition };
}

/** The parked players of a brand, oldest first. */
export async function listParked(db: Pool | ClientBase, brandId: number, limit: number): Promise<ListedParking[]> {
  const { rows } = await db.query<
    Omit<ListedParking, 'oldest'> & LedgerPosition & { kind: number; received_at: Micros }
  >(
    `select p.brand_id, p.user_id, p.cause, p.reason, p.parked_at, p.attempts, p.retry_at, n.events,
            o.kind, o.received_at, o.writer_id, o.seq, o.index
     from parked p
     cross join lateral (
       select count(*) as events from parked_event e
       where e.brand_id = p.brand_id and e.player_hash = p.player_hash and e.cause = p.cause) n
     cross join lateral (
       select * from parked_event e
       where e.brand_id = p.brand_id and e.player_hash = p.player_hash and e.cause = p.cause
       order by received_at limit 1) o
     where p.brand_id = $1 order by p.parked_at limit $2`,
    [brandId, limit],
  );
  return rows.map(({ kind, received_at, writer_id, seq, index, ...parked }) => ({
    ...parked,
    oldest: { kind: kindOf(kind), received_at, position: { writer_id, seq, index } },
  }));
}

/** How much waits in all, for metrics and alarms. */
export async function parkedCounts(db: Pool | ClientBase): Promise<{ players: number; events: number }> {
  const { rows } = await db.query<{ players: number; events: number }>(
    'select (select count(*) from parked) as players, (select count(*) from parked_event) as events',
  );
  return rows[0] ?? { players: 0, events: 0 };
}
