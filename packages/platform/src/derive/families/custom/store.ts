import type { ClientBase } from 'pg';
import type { CustomCount, CustomEvent } from './custom-event.ts';

/** Inserts the events that are not there yet, and tells which ones, by their fingerprints. */
export async function insertCustomEvents(tx: ClientBase, events: readonly CustomEvent[]): Promise<Set<string>> {
  const { rows } = await tx.query<Pick<CustomEvent, 'fingerprint'>>({
    name: 'insert_custom_events',
    text: `insert into custom_event (player_id, notification_type, at, fingerprint, origin, data)
           select player_id, notification_type, at, decode(fingerprint, 'hex'), origin, data
           from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::jsonb[])
             as e(player_id, notification_type, at, fingerprint, origin, data)
           on conflict do nothing
           returning encode(fingerprint, 'hex') as fingerprint`,
    values: [
      events.map((e) => e.player_id),
      events.map((e) => e.notification_type),
      events.map((e) => e.at),
      events.map((e) => e.fingerprint),
      events.map((e) => e.origin),
      events.map((e) => JSON.stringify(e.data)),
    ],
  });
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

export async function addCustomCounts(tx: ClientBase, counts: readonly CustomCount[]): Promise<void> {
  await tx.query({
    name: 'add_custom_counts',
    text: `insert into custom_count as t (player_id, notification_type, event_count, first_at, last_at)
           select * from unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[])
           on conflict (player_id, notification_type) do update set
             event_count = t.event_count + excluded.event_count,
             first_at = least(t.first_at, excluded.first_at),
             last_at = greatest(t.last_at, excluded.last_at)`,
    values: [
      counts.map((c) => c.player_id),
      counts.map((c) => c.notification_type),
      counts.map((c) => c.event_count),
      counts.map((c) => c.first_at),
      counts.map((c) => c.last_at),
    ],
  });
}
