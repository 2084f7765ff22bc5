import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Day, LedgerPosition } from '../../ledger/index.ts';
import { deleteInPortions } from './portions.ts';

export interface SealedDay {
  day: Day;
  state: 'sealing' | 'held' | 'sealed' | 'dropped';
  /** Why the day is held. */
  reason: string | null;
  events: number;
  /** When the day entered this state. */
  since: Micros;
  dropped_at: Micros | null;
}

export async function noteDay(
  db: Pool | ClientBase,
  day: Day,
  { state, at, events = 0 }: { state: 'sealing' | 'sealed'; at: Micros; events?: number },
): Promise<void> {
  await db.query(
    `insert into sealed_day (day, state, events, since) values ($1, $2, $3, $4)
     on conflict (day) do update set state = excluded.state, events = excluded.events, since = excluded.since, reason = null`,
    [day, state, events, timestamptzText(at)],
  );
}

/** Holds a day, and makes its too-old events importable again. `since` is when it was first held for this reason. */
export async function holdDay(pool: Pool, day: Day, reason: string, at: Micros): Promise<void> {
  await pool.query(
    `with back as (update parked_event set lapses_with = null where lapses_with = $1)
     insert into sealed_day as t (day, state, reason, since) values ($1, 'held', $2, $3)
     on conflict (day) do update set state = 'held', reason = excluded.reason, since = excluded.since`,
    [day, reason, timestamptzText(at)],
  );
}

/** Records why a packed or sealed day cannot be dropped yet. */
export async function noteRefusal(pool: Pool, day: Day, reason: string): Promise<void> {
  await pool.query('update sealed_day set reason = $2 where day = $1', [day, reason]);
}

/**
 * Called after a day was dropped: deletes its too-old events. The drop is recorded after the deletion, so a recorded drop means that
 * everything is done.
 */
export async function noteDropped(pool: Pool, day: Day, at: Micros): Promise<void> {
  await deleteInPortions(
    pool,
    'delete from parked_event where ctid = any (array(select ctid from parked_event where lapses_with = $1 limit $2))',
    day,
  );
  await pool.query(
    `insert into sealed_day (day, state, since, dropped_at) values ($1, 'dropped', $2, $2)
     on conflict (day) do update set state = 'dropped', reason = null, dropped_at = excluded.dropped_at`,
    [day, timestamptzText(at)],
  );
}

/** Returns the newest day first. @param droppedSince leaves out days that were dropped earlier */
export async function readSealedDays(db: Pool | ClientBase, droppedSince = 0): Promise<SealedDay[]> {
  const { rows } = await db.query<SealedDay>(
    `select * from sealed_day where dropped_at is null or dropped_at >= $1 order by day desc`,
    [timestamptzText(droppedSince)],
  );
  return rows;
}

export async function sealedEvents(db: Pool | ClientBase, day: Day): Promise<number | undefined> {
  const { rows } = await db.query<{ events: number }>(
    `select events from sealed_day where day = $1 and state in ('sealed', 'dropped')`,
    [day],
  );
  return rows[0]?.events;
}

/** Marks too-old events at these positions as lapsing with the day, except imported ones. Returns the positions of the marked events. */
export async function lapse(tx: ClientBase, day: Day, positions: readonly LedgerPosition[]): Promise<LedgerPosition[]> {
  const { rows } = await tx.query<LedgerPosition>(
    `update parked_event e set lapses_with = $1
     from unnest($2::int[], $3::bigint[], $4::int[]) as k(writer_id, seq, index)
     where e.writer_id = k.writer_id and e.seq = k.seq and e.index = k.index and e.cause = 'too_old'
     returning e.writer_id, e.seq, e.index`,
    [day, positions.map((p) => p.writer_id), positions.map((p) => p.seq), positions.map((p) => p.index)],
  );
  return rows;
}
