import type { ClientBase } from 'pg';
import type { NamedTables } from './kinds.ts';
import type { NamedCount, NamedEvent } from './named-event.ts';

/** Inserts the events that are not there yet, and tells which ones, by their fingerprints. */
export async function insertEvents(
  tx: ClientBase,
  { kind, eventTable, ownColumn }: NamedTables,
  events: readonly NamedEvent[],
): Promise<Set<string>> {
  const { rows } = await tx.query<Pick<NamedEvent, 'fingerprint'>>({
    name: `insert_${kind}_events`,
    text: `insert into ${eventTable} (player_id, name, at, fingerprint, ${ownColumn}, data)
           select player_id, name, at, decode(fingerprint, 'hex'), own, data
           from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::jsonb[])
             as e(player_id, name, at, fingerprint, own, data)
           on conflict do nothing
           returning encode(fingerprint, 'hex') as fingerprint`,
    values: [
      events.map((e) => e.player_id),
      events.map((e) => e.name),
      events.map((e) => e.at),
      events.map((e) => e.fingerprint),
      events.map((e) => e.own),
      events.map((e) => JSON.stringify(e.data)),
    ],
  });
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

export async function addCounts(
  tx: ClientBase,
  { kind, countTable }: NamedTables,
  counts: readonly NamedCount[],
): Promise<void> {
  await tx.query({
    name: `add_${kind}_counts`,
    text: `insert into ${countTable} as t (player_id, name, event_count, first_at, last_at)
           select * from unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[])
           on conflict (player_id, name) do update set
             event_count = t.event_count + excluded.event_count,
             first_at = least(t.first_at, excluded.first_at),
             last_at = greatest(t.last_at, excluded.last_at)`,
    values: [
      counts.map((c) => c.player_id),
      counts.map((c) => c.name),
      counts.map((c) => c.event_count),
      counts.map((c) => c.first_at),
      counts.map((c) => c.last_at),
    ],
  });
}
