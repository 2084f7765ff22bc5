import type { EventKind, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { kindCode, type LedgerPosition } from '../../ledger/index.ts';
import { kindOf } from '../journal/index.ts';
import { removalLock } from './removal.ts';

/** Selects too-old events of a brand. The bounds apply to the events' own timestamps, both inclusive. */
export interface TooOldFilter {
  kind?: EventKind | undefined;
  user_id?: string | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

export interface TooOldEvent {
  kind: EventKind;
  user_id: string;
  /** The event's own timestamp. */
  at: Micros;
  received_at: Micros;
  position: LedgerPosition;
  /** False from the time at which its ledger day is sealed without this event. */
  importable: boolean;
}

const condition = `brand_id = $1 and cause = 'too_old'
  and ($2::smallint is null or kind = $2) and ($3::text is null or user_id = $3)
  and at >= coalesce($4::timestamptz, '-infinity') and at <= coalesce($5::timestamptz, 'infinity')`;

function valuesOf(brandId: number, { kind, user_id, from, to }: TooOldFilter): unknown[] {
  return [
    brandId,
    kind === undefined ? null : kindCode(kind),
    user_id ?? null,
    from === undefined ? null : timestamptzText(from),
    to === undefined ? null : timestamptzText(to),
  ];
}

/** A page of too-old events, the newest by receipt first. */
export async function listTooOld(
  pool: Pool,
  brandId: number,
  filter: TooOldFilter,
  limit: number,
  after?: { received_at: Micros; position: LedgerPosition },
): Promise<TooOldEvent[]> {
  const place =
    after === undefined ? [null, null, null, null] : [timestamptzText(after.received_at), ...fields(after.position)];
  const { rows } = await pool.query<Omit<TooOldEvent, 'kind' | 'position'> & LedgerPosition & { kind: number }>(
    `select kind, user_id, at, received_at, writer_id, seq, index, lapses_with is null as importable
     from parked_event
     where ${condition}
       and ($6::timestamptz is null or (received_at, writer_id, seq, index) < ($6, $7::int, $8::bigint, $9::int))
     order by received_at desc, writer_id desc, seq desc, index desc limit $10`,
    [...valuesOf(brandId, filter), ...place, limit],
  );
  return rows.map(({ kind, writer_id, seq, index, ...event }) => ({
    ...event,
    kind: kindOf(kind),
    position: { writer_id, seq, index },
  }));
}

/**
 * The limit of the count. An operator that publishes old events while `history_days` is too low causes millions of
 * too-old events, and their exact number is not needed.
 */
const mostCounted = 10_000;

/** Counts the too-old events of a brand; 10,000 means that many or more. */
export async function countTooOld(pool: Pool, brandId: number): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    `select count(*) as events
     from (select from parked_event where brand_id = $1 and cause = 'too_old' limit $2) counted`,
    [brandId, mostCounted],
  );
  return rows[0]?.events ?? 0;
}

/**
 * Imports too-old events: they become parked events that are due for a retry. The worker that owns their buckets applies them, so this call
 * neither waits for them nor blocks the worker.
 *
 * The transaction also records how far back the events reach, so that no fact that they may touch is removed later.
 *
 * @param only the positions to import. If undefined, one call imports at most `limit` events that match the filter, the last received
 *   first. Further calls import the rest, so no call has to sort all of them
 * @returns the number of imported events
 */
export async function importTooOld(
  tx: ClientBase,
  brandId: number,
  filter: TooOldFilter,
  { only, limit, now }: { only: readonly LedgerPosition[] | undefined; limit: number; now: Micros },
): Promise<number> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [removalLock]);
  const { rows } = await tx.query<{ events: number }>(
    `with chosen as (
       select writer_id, seq, index from parked_event
       where ${condition} and lapses_with is null
         ${only === undefined ? '' : 'and (writer_id, seq, index) in (select * from unnest($8::int[], $9::bigint[], $10::int[]))'}
       order by received_at desc, writer_id desc, seq desc, index desc limit $6 for update
     ), imported as (
       update parked_event e set cause = 'failing', reason = 'imported by a person; about to be applied', retry_at = $7
       from chosen c where e.writer_id = c.writer_id and e.seq = c.seq and e.index = c.index
       returning e.brand_id, e.user_id, e.received_at, e.at
     ), late as (
       insert into late_event as t (player_id, day, oldest_at)
       select p.player_id, (i.received_at at time zone 'UTC')::date, min(i.at)
       from imported i join player p using (brand_id, user_id) group by 1, 2
       on conflict (player_id, day) do update set oldest_at = least(t.oldest_at, excluded.oldest_at)
     )
     select count(*) as events from imported`,
    [...valuesOf(brandId, filter), limit, timestamptzText(now), ...(only === undefined ? [] : columnsOf(only))],
  );
  return rows[0]?.events ?? 0;
}

function fields({ writer_id, seq, index }: LedgerPosition): number[] {
  return [writer_id, seq, index];
}

function columnsOf(positions: readonly LedgerPosition[]): number[][] {
  return [positions.map((p) => p.writer_id), positions.map((p) => p.seq), positions.map((p) => p.index)];
}
