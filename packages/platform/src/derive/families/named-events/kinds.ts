import type { EventOf } from '@croupier/contracts';

/** The kinds of events that have a free name and free data. */
export type NamedKind = 'custom' | 'site_event';

/** Where the events and counts of a kind are stored. The tables of the two kinds differ in one column. */
export interface NamedTables {
  readonly kind: NamedKind;
  readonly eventTable: string;
  readonly countTable: string;
  /** The column that the other kind's events do not have. */
  readonly ownColumn: string;
}

/** One of these kinds: its tables, and the fields of an event that are stored there. */
export interface NamedEvents<K extends NamedKind> extends NamedTables {
  readonly kind: K;
  readonly eventName: (event: EventOf<K>) => string;
  readonly ownOf: (event: EventOf<K>) => string;
}

/** Events that the operator names. */
export const custom: NamedEvents<'custom'> = {
  kind: 'custom',
  eventTable: 'custom_event',
  countTable: 'custom_count',
  ownColumn: 'origin',
  eventName: ({ notification_type }) => notification_type,
  ownOf: ({ origin }) => origin,
};

/**
 * Events that a page of the player tracked. They are unverified, so they are never counted with the operator's events.
 */
export const siteEvent: NamedEvents<'site_event'> = {
  kind: 'site_event',
  eventTable: 'site_event',
  countTable: 'site_event_count',
  ownColumn: 'event_id',
  eventName: ({ name }) => name,
  ownOf: ({ event_id }) => event_id,
};

const tables: Readonly<Record<NamedKind, NamedTables>> = { custom, site_event: siteEvent };

export function tablesOf(kind: NamedKind): NamedTables {
  return tables[kind];
}
