import { type EventKind, eventKinds, type Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { kindCode } from '../../ledger/index.ts';
import { kindOf } from '../journal/index.ts';
import type { FeedMinute } from './statistics.ts';

/** SQL that adds two arrays element by element. */
const addedUp = (column: string) =>
  `(select array_agg(a + b order by place) from unnest(t.${column}, excluded.${column}) with ordinality as u(a, b, place))`;

/**
 * Adds a batch to the statistics. The row locks last until the transaction ends. `source`, the lowest bucket that the
 * worker owns, gives each worker rows that only it writes.
 */
export async function addMinutes(tx: ClientBase, source: number, minutes: readonly FeedMinute[]): Promise<void> {
  if (minutes.length === 0) return;
  await tx.query({
    name: 'add_feed_minutes',
    text: `insert into feed_minute as t
             (brand_id, kind, minute, source, events, repeats, conflicts, orphans, orphans_resolved, unreadable, flagged,
              zoneless, without_id, last_received_at, delays, zoneless_hours)
           select brand_id, kind, minute, $1, events, repeats, conflicts, orphans, orphans_resolved, unreadable, flagged,
                  zoneless, without_id, last_received_at, delays::int[], zoneless_hours::int[]
           from unnest($2::int[], $3::smallint[], $4::timestamptz[], $5::int[], $6::int[], $7::int[], $8::int[],
                       $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::timestamptz[], $15::text[], $16::text[])
             as m(brand_id, kind, minute, events, repeats, conflicts, orphans, orphans_resolved, unreadable, flagged,
                  zoneless, without_id, last_received_at, delays, zoneless_hours)
           on conflict (brand_id, kind, minute, source) do update set
             events = t.events + excluded.events,
             repeats = t.repeats + excluded.repeats,
             conflicts = t.conflicts + excluded.conflicts,
             orphans = t.orphans + excluded.orphans,
             orphans_resolved = t.orphans_resolved + excluded.orphans_resolved,
             unreadable = t.unreadable + excluded.unreadable,
             flagged = t.flagged + excluded.flagged,
             zoneless = t.zoneless + excluded.zoneless,
             without_id = t.without_id + excluded.without_id,
             last_received_at = greatest(t.last_received_at, excluded.last_received_at),
             delays = ${addedUp('delays')},
             zoneless_hours = ${addedUp('zoneless_hours')}`,
    values: [
      source,
      minutes.map((m) => m.brand_id),
      minutes.map((m) => kindCode(m.kind)),
      minutes.map((m) => m.minute),
      minutes.map((m) => m.events),
      minutes.map((m) => m.repeats),
      minutes.map((m) => m.conflicts),
      minutes.map((m) => m.orphans),
      minutes.map((m) => m.orphans_resolved),
      minutes.map((m) => m.unreadable),
      minutes.map((m) => m.flagged),
      minutes.map((m) => m.zoneless),
      minutes.map((m) => m.without_id),
      minutes.map((m) => m.last_received_at),
      minutes.map((m) => `{${m.delays.join(',')}}`),
      minutes.map((m) => `{${m.zoneless_hours.join(',')}}`),
    ],
  });
}

/** The feed of one kind over a time span. The histograms are in the order of `delayBounds`, and of -24 to +24 hours. */
export interface FeedSummary {
  kind: EventKind;
  events: number;
  repeats: number;
  conflicts: number;
  /** Orphans whose counterpart has not come yet. */
  orphans: number;
  unreadable: number;
  flagged: number;
  zoneless: number;
  without_id: number;
  delays: number[];
  zoneless_hours: number[];
}

type SummaryRow = Omit<FeedSummary, 'kind'> & { kind: number };

/** Sums whole minutes from `from` on, per kind. Kinds without events are missing. */
export async function feedSummary(db: Pool | ClientBase, brandId: number, from: Micros): Promise<FeedSummary[]> {
  const histogram = (column: string) => `
    (select coalesce(array_agg(n order by place), '{}') from (
       select place, sum(n) as n from own o, unnest(o.${column}) with ordinality as u(n, place)
       where o.kind = c.kind group by place) h) as ${column}`;
  const { rows } = await db.query<SummaryRow>(
    `with own as (select * from feed_minute where brand_id = $1 and minute >= $2),
     counts as (
       select kind, sum(events) as events, sum(repeats) as repeats, sum(conflicts) as conflicts,
              greatest(0, sum(orphans) - sum(orphans_resolved)) as orphans, sum(unreadable) as unreadable,
              sum(flagged) as flagged, sum(zoneless) as zoneless,
              sum(without_id) as without_id
       from own group by kind)
     select c.*, ${histogram('delays')}, ${histogram('zoneless_hours')} from counts c order by kind`,
    [brandId, timestamptzText(from)],
  );
  return rows.map((row) => ({ ...row, kind: kindOf(row.kind) }));
}

/** Events per minute and kind, for rates and charts, oldest first. Minutes without events are missing. */
export async function feedMinutesSince(
  db: Pool | ClientBase,
  brandId: number,
  from: Micros,
): Promise<{ minute: Micros; kind: EventKind; events: number }[]> {
  const { rows } = await db.query<{ minute: Micros; kind: number; events: number }>(
    `select minute, kind, sum(events) as events from feed_minute
     where brand_id = $1 and minute >= $2 group by minute, kind order by minute, kind`,
    [brandId, timestamptzText(from)],
  );
  return rows.map((row) => ({ ...row, kind: kindOf(row.kind) }));
}

/** When the newest event of each kind was received, over all time. */
export async function lastReceived(db: Pool | ClientBase, brandId: number): Promise<Map<EventKind, Micros>> {
  const { rows } = await db.query<{ kind: number; at: Micros }>(
    `select k.kind, m.last_received_at as at
     from (select unnest($2::smallint[]) as kind) k
     cross join lateral (
       select last_received_at from feed_minute where brand_id = $1 and kind = k.kind order by minute desc limit 1) m`,
    [brandId, eventKinds.map(kindCode)],
  );
  return new Map(rows.map((row) => [kindOf(row.kind), row.at]));
}

/**
 * Deletes minutes before a time, but never the newest minute of each brand and kind, because `lastReceived` covers all
 * time.
 */
export async function pruneMinutes(db: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from feed_minute t
     where ctid = any (array(
       select m.ctid from feed_minute m
       where m.minute < $1
         and exists (select from feed_minute n where n.brand_id = m.brand_id and n.kind = m.kind and n.minute > m.minute)
       order by m.minute limit $2))`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
