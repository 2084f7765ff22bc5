import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type NamedKind, tablesOf } from './kinds.ts';
import type { NamedEvent } from './named-event.ts';

export type ListedNamedEvent = Omit<NamedEvent, 'player_id'>;

export interface NamedEventFilter {
  name?: string;
  /** Bounds of the event's time, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The player's events of one kind, newest first; `before` is the last one of the previous page. */
export async function listNamedEvents(
  db: Pick<ClientBase, 'query'>,
  kind: NamedKind,
  playerId: number,
  filter: NamedEventFilter,
  limit: number,
  before?: Pick<ListedNamedEvent, 'at' | 'fingerprint'>,
): Promise<ListedNamedEvent[]> {
  const { eventTable, ownColumn } = tablesOf(kind);
  const { rows } = await db.query<ListedNamedEvent>(
    `select name, at, encode(fingerprint, 'hex') as fingerprint, ${ownColumn} as own, data
     from ${eventTable}
     where player_id = $1
       and ($2::text is null or name = $2)
       and at >= coalesce($3::timestamptz, '-infinity')
       and at <= least($4::timestamptz, $5::timestamptz, 'infinity')
       and ($5::timestamptz is null or (at, fingerprint) < ($5, decode($6, 'hex')))
     order by at desc, fingerprint desc
     limit $7`,
    [
      playerId,
      filter.name ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(before?.at),
      before?.fingerprint ?? null,
      limit,
    ],
  );
  return rows;
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}
