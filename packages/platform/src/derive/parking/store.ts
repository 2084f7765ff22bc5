import type { EventKind, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { kindCode, type LedgerEvent, type LedgerPosition } from '../../ledger/index.ts';
import { kindOf } from '../journal/index.ts';

/** Why an event is parked. A `too_old` event waits for a person (history/), the others are retried after a delay. */
export type Cause = 'unreadable' | 'failing' | 'too_old';

/** An event to be parked. `user_id` and `at` (the event's own timestamp) are null if it cannot be read. */
export interface Parking {
  source: LedgerEvent;
  cause: Cause;
  reason: string;
  user_id: string | null;
  at: Micros | null;
}

/** @param retryAt the time of the first retry; null if only a person can retry it */
export async function park(
  tx: ClientBase,
  parkings: readonly Parking[],
  now: Micros,
  retryAt: Micros | null,
): Promise<void> {
  if (parkings.length === 0) return;
  await tx.query(
    `insert into parked_event (writer_id, seq, index, brand_id, player_hash, bucket, kind, received_at, cause, reason,
                               user_id, at, parked_at, retry_at)
     select *, $1::timestamptz, $2::timestamptz
     from unnest($3::int[], $4::bigint[], $5::int[], $6::int[], $7::numeric[], $8::smallint[], $9::smallint[],
                 $10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
     on conflict (writer_id, seq, index) do nothing`,
    [
      timestamptzText(now),
      retryAt === null ? null : timestamptzText(retryAt),
      parkings.map((p) => p.source.position.writer_id),
      parkings.map((p) => p.source.position.seq),
      parkings.map((p) => p.source.position.index),
      parkings.map((p) => p.source.brand_id),
      parkings.map((p) => String(p.source.player_hash)),
      parkings.map((p) => p.source.bucket),
      parkings.map((p) => kindCode(p.source.kind)),
      parkings.map((p) => p.source.received_at),
      parkings.map((p) => p.cause),
      parkings.map((p) => p.reason),
      parkings.map((p) => p.user_id),
      parkings.map((p) => p.at),
    ],
  );
}

export interface DueEvent {
  kind: EventKind;
  player_hash: bigint;
  position: LedgerPosition;
  bucket: number;
  attempts: number;
}

/**
 * Returns and locks the parked events that are due. Because of the lock, an earlier try whose outcome is unknown has
 * ended before the same events are tried again.
 */
export async function dueParked(
  tx: ClientBase,
  buckets: readonly number[],
  now: Micros,
  limit: number,
): Promise<DueEvent[]> {
  type Row = Pick<DueEvent, 'bucket' | 'attempts'> & LedgerPosition & { kind: number; player_hash: string };
  const { rows } = await tx.query<Row>(
    `select writer_id, seq, index, bucket, kind, player_hash::text, attempts from parked_event
     where bucket = any ($1::smallint[]) and retry_at <= $2 order by retry_at limit $3 for update`,
    [buckets, timestamptzText(now), limit],
  );
  return rows.map(({ writer_id, seq, index, kind, player_hash, ...due }) => ({
    ...due,
    kind: kindOf(kind),
    player_hash: BigInt(player_hash),
    position: { writer_id, seq, index },
  }));
}

export async function unpark(tx: ClientBase, positions: readonly LedgerPosition[]): Promise<void> {
  if (positions.length === 0) return;
  await tx.query(
    `delete from parked_event e using unnest($1::int[], $2::bigint[], $3::int[]) as k(writer_id, seq, index)
     where e.writer_id = k.writer_id and e.seq = k.seq and e.index = k.index`,
    [positions.map((p) => p.writer_id), positions.map((p) => p.seq), positions.map((p) => p.index)],
  );
}

/** Records another failed try, and when the next one is due. */
export async function postpone(
  tx: ClientBase,
  waiting: readonly { position: LedgerPosition; reason: string; retry_at: Micros }[],
): Promise<void> {
  if (waiting.length === 0) return;
  await tx.query(
    `update parked_event e set attempts = e.attempts + 1, reason = k.reason, retry_at = k.retry_at
     from unnest($1::int[], $2::bigint[], $3::int[], $4::text[], $5::timestamptz[])
       as k(writer_id, seq, index, reason, retry_at)
     where e.writer_id = k.writer_id and e.seq = k.seq and e.index = k.index`,
    [
      waiting.map(({ position }) => position.writer_id),
      waiting.map(({ position }) => position.seq),
      waiting.map(({ position }) => position.index),
      waiting.map(({ reason }) => reason),
      waiting.map(({ retry_at }) => retry_at),
    ],
  );
}

/** Returns which of the events at these positions are parked, for any cause. */
export async function parkedAmong<P extends LedgerPosition>(
  db: Pool | ClientBase,
  positions: readonly P[],
): Promise<(LedgerPosition & { cause: Cause; retry_at: Micros | null })[]> {
  if (positions.length === 0) return [];
  const { rows } = await db.query<LedgerPosition & { cause: Cause; retry_at: Micros | null }>(
    `select e.writer_id, e.seq, e.index, e.cause, e.retry_at
     from unnest($1::int[], $2::bigint[], $3::int[]) as k(writer_id, seq, index)
     join parked_event e on e.writer_id = k.writer_id and e.seq = k.seq and e.index = k.index`,
    [positions.map((p) => p.writer_id), positions.map((p) => p.seq), positions.map((p) => p.index)],
  );
  return rows;
}

/** The parked events of one player and cause, as shown to people: reason, since when, how many, and the next retry. */
export interface ListedParking {
  brand_id: number;
  /** Null for unreadable events. */
  user_id: string | null;
  cause: Exclude<Cause, 'too_old'>;
  /** The reason of the oldest event. */
  reason: string;
  /** When the first of them was parked. */
  parked_at: Micros;
  /** The highest number of failed tries among them. */
  attempts: number;
  /** When the next of them is retried. */
  retry_at: Micros;
  events: number;
  /** Kind and position of the oldest event. Its body is in the ledger (`Ledger.at`). */
  oldest: { kind: string; received_at: Micros; position: LedgerPosition };
  /** The place of this entry in the list. The next page starts after it. */
  place: ParkingPlace;
}

/** A place in the list of what is parked. */
export interface ParkingPlace {
  parked_at: Micros;
  /** An unsigned 64-bit number as decimal text, because a double cannot hold it. */
  player_hash: string;
  cause: ListedParking['cause'];
}

/** Parked events of a brand by player and cause, the longest waiting first. Events that are too old are left out. */
export async function listParked(
  db: Pool | ClientBase,
  brandId: number,
  limit: number,
  after?: ParkingPlace,
): Promise<ListedParking[]> {
  const { rows } = await db.query<
    Omit<ListedParking, 'oldest' | 'place'> &
      LedgerPosition &
      Pick<ParkingPlace, 'player_hash'> & { kind: number; received_at: Micros }
  >(
    `select $1::int as brand_id, o.user_id, p.cause, o.reason, p.parked_at, p.attempts, p.retry_at, p.events,
            o.kind, o.received_at, o.writer_id, o.seq, o.index, p.player_hash::text as player_hash
     from (
       select player_hash, cause, count(*) as events, min(parked_at) as parked_at, max(attempts) as attempts,
              min(retry_at) as retry_at
       from parked_event where brand_id = $1 and cause <> 'too_old'
       group by player_hash, cause
       having $3::timestamptz is null or (min(parked_at), player_hash, cause) > ($3, $4::numeric, $5)
       order by min(parked_at), player_hash, cause limit $2) p
     cross join lateral (
       select * from parked_event e
       where e.brand_id = $1 and e.player_hash = p.player_hash and e.cause = p.cause
       order by received_at, writer_id, seq, index limit 1) o
     order by p.parked_at, p.player_hash, p.cause`,
    [
      brandId,
      limit,
      after === undefined ? null : timestamptzText(after.parked_at),
      after?.player_hash ?? null,
      after?.cause ?? null,
    ],
  );
  return rows.map(({ kind, received_at, writer_id, seq, index, player_hash, ...parked }) => ({
    ...parked,
    oldest: { kind: kindOf(kind), received_at, position: { writer_id, seq, index } },
    place: { parked_at: parked.parked_at, player_hash, cause: parked.cause },
  }));
}

/** The number of parked players and events, without those that wait for a person. For metrics and alarms. */
export async function parkedCounts(db: Pool | ClientBase): Promise<{ players: number; events: number }> {
  const { rows } = await db.query<{ players: number; events: number }>(
    "select count(distinct (brand_id, player_hash)) as players, count(*) as events from parked_event where cause <> 'too_old'",
  );
  return rows[0] ?? { players: 0, events: 0 };
}
