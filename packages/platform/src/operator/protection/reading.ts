import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues } from '../../database/index.ts';
import { type ProtectionTransition, transitionKinds } from './transition.ts';

export interface ListedTransition extends ProtectionTransition {
  /** When the platform received the update or request that led to it. */
  received_at: Micros;
  /** For a change that protects: when the last follower had handled it. Null: not yet, or not such a change. */
  suppressed_at: Micros | null;
  market: string | null;
  country: string | null;
  /** Null if the player was erased. */
  user_id: string | null;
  /** Followers that have not handled it yet, with their failures. */
  waiting: { follower: string; attempts: number; failure: string | null }[];
}

export interface TransitionFilter {
  player_id?: number | undefined;
  /** Default: all kinds. */
  kinds?: readonly string[] | undefined;
  /** Only transitions that a follower has not handled. */
  waiting?: boolean | undefined;
}

/**
 * Newest first. Each kind is read separately, so that a page of a rare kind does not read past millions of transitions of a common one.
 *
 * @param before transition_id at which the previous page ended
 */
export async function listTransitions(
  pool: Pool,
  brandId: number,
  filter: TransitionFilter,
  limit: number,
  before?: number,
): Promise<ListedTransition[]> {
  const { rows } = await pool.query<ListedTransition>(
    `select t.transition_id, t.brand_id, t.player_id,
            case when p.erased_at is null then p.user_id end as user_id, t.kind, t.consent_type, t.source, t.at, t.received_at,
            case when not exists (select from protection_delivery d where d.transition_id = t.transition_id) then t.handled_at end
              as suppressed_at, details.market, details.country,
            coalesce((select json_agg(json_build_object('follower', d.follower, 'attempts', d.attempts, 'failure', d.failure)
                                      order by d.follower)
                        from protection_delivery d where d.transition_id = t.transition_id), '[]') as waiting
       from unnest($3::text[]) as wanted (kind)
            cross join lateral (
              select * from protection_transition one
               where one.brand_id = $1 and one.kind = wanted.kind and ($2::bigint is null or one.player_id = $2)
                 and ($4::bigint is null or one.transition_id < $4)
                 and (not $5 or exists (select from protection_delivery d where d.transition_id = one.transition_id))
               order by one.transition_id desc limit $6) t
            left join player p on p.player_id = t.player_id
            left join player_profile details on details.player_id = t.player_id
      order by t.transition_id desc limit $6`,
    [
      brandId,
      filter.player_id ?? null,
      filter.kinds ?? transitionKinds,
      before ?? null,
      filter.waiting ?? false,
      limit,
    ],
  );
  return rows;
}

export type PlayerTransition = Pick<
  ListedTransition,
  'transition_id' | 'kind' | 'consent_type' | 'source' | 'at' | 'received_at'
>;

/** Transitions of one player by their time, newest first. A player has only a few. */
export async function playerTransitions(pool: Pool, playerId: number, page: TimePage): Promise<PlayerTransition[]> {
  const { rows } = await pool.query<PlayerTransition>(
    `select transition_id, kind, consent_type, source, at, received_at from protection_transition
      where player_id = $1 ${timePageSql({ at: 'at', key: 'transition_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}
