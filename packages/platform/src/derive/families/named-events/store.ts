import type { ClientBase } from 'pg';
import { columnsOf } from '../../../database/index.ts';
import type { NamedTables } from './kinds.ts';
import type { NamedCount, NamedEvent } from './named-event.ts';

/** The statements for the tables of one kind. */
export interface NamedStore {
  /**
   * Inserts the events that are not stored yet, and returns their fingerprints. A `factTable` would read them first.
   */
  insert(tx: ClientBase, events: readonly NamedEvent[]): Promise<Set<string>>;
  /** Adds to the counts of each name. */
  add(tx: ClientBase, counts: readonly NamedCount[]): Promise<void>;
}

const ofEvent = {
  player_id: 'bigint',
  name: 'text',
  at: 'timestamptz',
  fingerprint: 'hash',
  data: 'jsonb',
} as const;
const counts = columnsOf<NamedCount>({
  player_id: 'bigint',
  name: 'text',
  event_count: 'int',
  first_at: 'timestamptz',
  last_at: 'timestamptz',
});

export function namedStore({ kind, eventTable, countTable, ownColumn }: NamedTables): NamedStore {
  const events = columnsOf<Record<string, unknown>>({ ...ofEvent, [ownColumn]: 'text' });
  const insert = `insert into ${eventTable} as t (${events.names})
    select ${events.stored('e')} from ${events.given('e')}
    on conflict do nothing
    returning encode(t.fingerprint, 'hex') as fingerprint`;
  const add = `insert into ${countTable} as t (${counts.names})
    select ${counts.stored('c')} from ${counts.given('c')}
    on conflict (player_id, name) do update set
      event_count = t.event_count + excluded.event_count,
      first_at = least(t.first_at, excluded.first_at),
      last_at = greatest(t.last_at, excluded.last_at)`;
  return {
    async insert(tx, given) {
      const { rows } = await tx.query<Pick<NamedEvent, 'fingerprint'>>({
        name: `insert_${kind}_events`,
        text: insert,
        values: events.values(given.map(({ own, ...event }) => ({ ...event, [ownColumn]: own }))),
      });
      return new Set(rows.map(({ fingerprint }) => fingerprint));
    },
    async add(tx, given) {
      await tx.query({ name: `add_${kind}_counts`, text: add, values: counts.values(given) });
    },
  };
}
