import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Session, SessionScope } from './session.ts';

/** A session as shown to people, with the game's name from the catalog. Ids and names are null in scope `play`. */
export interface ListedSession extends Omit<Session, 'player_id' | 'day' | 'vendor_id' | 'game_id'> {
  vendor_id: string | null;
  vendor_name: string | null;
  game_id: string | null;
  game_name: string | null;
  game_type: string | null;
}

export interface SessionFilter {
  scope: SessionScope;
  vendor_id?: string;
  game_id?: string;
  /** Bounds of the beginning, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The last session of a page. It includes the game, because sessions of two games may have started at the same moment. */
export type SessionPlace = Pick<ListedSession, 'started_at' | 'vendor_id' | 'game_id'>;

/** The player's sessions of one scope, the latest beginning first; `before` is the last one of the previous page. */
export async function listSessions(
  db: Pick<ClientBase, 'query'>,
  player: { player_id: number; brand_id: number },
  filter: SessionFilter,
  limit: number,
  before?: SessionPlace,
): Promise<ListedSession[]> {
  const { rows } = await db.query<ListedSession>(
    `select s.scope, nullif(s.vendor_id, '') as vendor_id, v.name as vendor_name, nullif(s.game_id, '') as game_id,
            g.name as game_name, g.type as game_type, started_at, ended_at, round_count, bet_count, bet_sum, win_sum
     from session s
     left join game g on g.brand_id = $2 and g.vendor_id = s.vendor_id and g.game_id = s.game_id
     left join vendor v on v.brand_id = $2 and v.vendor_id = s.vendor_id
     where s.player_id = $1 and s.scope = $3
       and ($4::text is null or s.vendor_id = $4)
       and ($5::text is null or s.game_id = $5)
       and started_at >= coalesce($6::timestamptz, '-infinity')
       and started_at <= least($7::timestamptz, $8::timestamptz, 'infinity')
       and ($8::timestamptz is null or (started_at, s.vendor_id, s.game_id) < ($8, $9, $10))
     order by started_at desc, s.vendor_id desc, s.game_id desc
     limit $11`,
    [
      player.player_id,
      player.brand_id,
      filter.scope,
      filter.vendor_id ?? null,
      filter.game_id ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(before?.started_at),
      before?.vendor_id ?? '',
      before?.game_id ?? '',
      limit,
    ],
  );
  return rows;
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}
