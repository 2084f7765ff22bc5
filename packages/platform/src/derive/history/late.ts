import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { ReadableEvent } from '../read.ts';
import { dayName, isLate, isTooOld, type Timing } from './too-old.ts';

function timingOf({ source, event }: ReadableEvent): Timing {
  return { at: event.timestamp, received_at: source.received_at };
}

/** The events of a batch that are older than their brands' history, and the others. Asks the database only when there are late ones. */
export async function tooOldApart(
  tx: ClientBase,
  events: readonly ReadableEvent[],
): Promise<{ recent: readonly ReadableEvent[]; tooOld: readonly ReadableEvent[] }> {
  if (!events.some((event) => isLate(timingOf(event)))) return { recent: events, tooOld: [] };
  const pruned = await prunedFacts(tx);
  const { recent = [], tooOld = [] } = Object.groupBy(events, (event) => {
    const { source, settings } = event;
    return isTooOld(timingOf(event), settings.history_days, pruned.get(source.brand_id)) ? 'tooOld' : 'recent';
  });
  return { recent, tooOld };
}

/** Notes how far back the late ones among applied events reach. */
export async function noteLate(
  tx: ClientBase,
  entries: readonly { brand_id: number; received_at: Micros; at: Micros | null }[],
  source: number,
): Promise<void> {
  const oldest = new Map<string, { day: string; brand_id: number; at: Micros }>();
  for (const { brand_id, received_at, at } of entries) {
    if (at === null || !isLate({ at, received_at })) continue;
    const day = dayName(received_at);
    const known = oldest.get(`${brand_id}:${day}`);
    if (known === undefined || at < known.at) oldest.set(`${brand_id}:${day}`, { day, brand_id, at });
  }
  if (oldest.size === 0) return;
  const rows = [...oldest.values()].sort((a, b) =>
    a.day === b.day ? a.brand_id - b.brand_id : a.day < b.day ? -1 : 1,
  );
  await tx.query(
    `insert into late_event as t (day, brand_id, source, oldest_at)
     select k.day, k.brand_id, $1::smallint, k.at from unnest($2::date[], $3::int[], $4::timestamptz[]) as k(day, brand_id, at)
     on conflict (day, brand_id, source) do update set oldest_at = least(t.oldest_at, excluded.oldest_at)`,
    [source, rows.map((row) => row.day), rows.map((row) => row.brand_id), rows.map((row) => timestamptzText(row.at))],
  );
}

/** By brand, the oldest timestamp of a late event that the ledger still keeps. */
export async function oldestLate(db: Pool | ClientBase): Promise<Map<number, Micros>> {
  const { rows } = await db.query<{ brand_id: number; oldest_at: Micros }>(
    'select brand_id, min(oldest_at) as oldest_at from late_event group by brand_id',
  );
  return new Map(rows.map((row) => [row.brand_id, row.oldest_at]));
}

/** By brand, the moment before which facts that are kept for the history are gone. */
export async function prunedFacts(db: Pool | ClientBase): Promise<Map<number, Micros>> {
  const { rows } = await db.query<{ brand_id: number; pruned_to: Micros }>(
    'select brand_id, pruned_to from pruned_fact',
  );
  return new Map(rows.map((row) => [row.brand_id, row.pruned_to]));
}
