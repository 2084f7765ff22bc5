import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { CustomEvent } from './custom-event.ts';

export type ListedCustomEvent = Omit<CustomEvent, 'player_id'>;

export interface CustomEventFilter {
  notification_type?: string;
  /** Both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The player's custom events, newest first; `before` is the last one of the page before. */
export async function listCustomEvents(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: CustomEventFilter,
  limit: number,
  before?: Pick<ListedCustomEvent, 'at' | 'fingerprint'>,
): Promise<ListedCustomEvent[]> {
  const { rows } = await db.query<ListedCustomEvent>(
    `select notification_type, at, encode(fingerprint, 'hex') as fingerprint, origin, data
     from live.custom_event
     where player_id = $1
       and ($2::text is null or notification_type = $2)
       and at >= coalesce($3::timestamptz, '-infinity')
       and at <= least($4::timestamptz, $5::timestamptz, 'infinity')
       and ($5::timestamptz is null or (at, fingerprint) < ($5, decode($6, 'hex')))
     order by at desc, fingerprint desc
     limit $7`,
    [
      playerId,
      filter.notification_type ?? null,
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
