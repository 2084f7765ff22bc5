import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { Queue } from '../../../outgoing/index.ts';
import type { LookUp, LookUpFailure } from '../../judging/index.ts';
import type { Lane } from './lane.ts';

/*
 * The life of a row of player_sync:
 *
 *                    request                        claim
 *     (none) ----------------------> due -------------------------> claimed
 *                                   ^ ^ ^                            | | |
 *        request, or waited long    | | '-- claim expired (dead) ----' | |
 *     current / waiting / parked ---' '---- requested meanwhile -------' |
 *        ^                                                               |
 *        '----------------- settled: done, or next try, or parked -------'
 *
 * Claims are those of the engine (outgoing/queue.ts): a worker that was stopped and continues finds its claim expired or
 * taken over, and writes nothing.
 */

export interface LookUpClaim {
  claim: number;
  player_id: number;
  user_id: string;
  look_up: LookUp;
  brand_id: number;
  lane: Lane;
  /** The newest request that this look-up answers. */
  request: number;
  /** Consecutive failures before this try. */
  attempts: number;
  /** Why the last one failed, and how many in a row failed in the same way (Ladder.triesAfter). */
  reason: LookUpFailure | null;
  tries: number;
}

export const lookUpQueue = new Queue<Pick<LookUpClaim, 'brand_id' | 'look_up' | 'lane'>, LookUpClaim>({
  table: 'player_sync',
  key: { player_id: 'bigint', look_up: 'text' },
  place: { brand_id: 'int', look_up: 'text', lane: 'smallint' },
  brings: [
    '(select p.user_id from player p where p.player_id = q.player_id) as user_id',
    'q.requested as request',
    'q.attempts',
    'q.failure as reason',
    'q.tries',
  ],
});

export interface HeldClaim {
  player_id: number;
  look_up: LookUp;
  /** When the current record was requested. */
  as_of: Micros | null;
  /** The request of an update event that has not been answered yet. Null if there is none. */
  news: number | null;
  /** When the first update event that has not been answered yet was received. Null if there is none. */
  news_at: Micros | null;
  /** If true, changes in the answer must not start a campaign. */
  silent: boolean;
}

/**
 * Locks the rows whose claims still hold, until the transaction ends. Rows that another transaction has locked are returned
 * separately: derive is adding a request to them, and its transaction may be long, so nothing waits for it here.
 */
export async function lockHeldClaims(
  tx: ClientBase,
  claims: readonly LookUpClaim[],
): Promise<{ held: HeldClaim[]; busy: Pick<HeldClaim, 'player_id' | 'look_up'>[] }> {
  const { rows: held } = await tx.query<HeldClaim>({
    name: 'lock_held_look_ups',
    text: `${heldClaims('s.player_id, s.look_up, s.as_of, s.silent, case when s.news > s.done then s.news end as news, case when s.news > s.done then s.news_at end as news_at')} order by s.player_id, s.look_up for update of s skip locked`,
    values: keysOf(claims),
  });
  if (held.length === claims.length) return { held, busy: [] };
  const { rows: unlocked } = await tx.query<HeldClaim>({
    name: 'held_look_ups',
    text: heldClaims('s.player_id, s.look_up'),
    values: keysOf(claims),
  });
  const isLocked = (row: HeldClaim) =>
    held.some((one) => one.player_id === row.player_id && one.look_up === row.look_up);
  return { held, busy: unlocked.filter((row) => !isLocked(row)) };
}

function heldClaims(columns: string): string {
  return `select ${columns}
            from unnest($1::bigint[], $2::text[], $3::bigint[]) as c (player_id, look_up, claim)
            join player_sync s on s.player_id = c.player_id and s.look_up = c.look_up
           where s.claim = c.claim and s.due_at > now()`;
}

export type Settlement = Pick<LookUpClaim, 'player_id' | 'look_up' | 'request'> &
  (
    | { as_of: Micros }
    | {
        failure: LookUpFailure;
        detail: string;
        failed_at: Micros;
        delay_ms: number | null;
        tries: number;
        parked: boolean;
        to_background: boolean;
      }
  );

/**
 * Ends locked claims. If a request arrived in the meantime, the row is due immediately, regardless of the outcome.
 *
 * @param databaseAt the time of the database (`databaseTime`)
 */
export async function settle(tx: ClientBase, settlements: readonly Settlement[], databaseAt: Micros): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query({
    name: 'settle_look_ups',
    text: `update player_sync s
              set claim = null,
                  done = case when r.as_of is null then s.done else r.request end,
                  due_at = $2::timestamptz + case when s.requested > r.request then 0 else r.delay_ms end * interval '1 millisecond',
                  lane = case when r.to_background and s.requested = r.request then 1 else s.lane end,
                  attempts = case when r.as_of is null and s.requested = r.request then s.attempts + 1 else 0 end,
                  tries = case when r.as_of is null and s.requested = r.request then r.tries else 0 end,
                  parked = coalesce(r.parked, false) and s.requested = r.request,
                  as_of = coalesce(r.as_of, s.as_of),
                  failing_since = case when r.as_of is null then coalesce(s.failing_since, r.failed_at) end,
                  failed_at = coalesce(r.failed_at, s.failed_at),
                  failure = coalesce(r.failure, s.failure),
                  failure_detail = coalesce(r.detail, s.failure_detail)
             from jsonb_to_recordset($1::jsonb) as r (
                    player_id bigint, look_up text, request bigint, as_of timestamptz,
                    failure text, detail text, failed_at timestamptz, delay_ms bigint, tries int, parked boolean, to_background boolean)
            where s.player_id = r.player_id and s.look_up = r.look_up`,
    values: [
      JSON.stringify(
        settlements.map((one) =>
          'as_of' in one
            ? { ...one, as_of: timestamptzText(one.as_of) }
            : { ...one, failed_at: timestamptzText(one.failed_at) },
        ),
      ),
      timestamptzText(databaseAt),
    ],
  });
}

function keysOf(claims: readonly LookUpClaim[]): [number[], string[], number[]] {
  return [
    claims.map((claim) => claim.player_id),
    claims.map((claim) => claim.look_up),
    claims.map((claim) => claim.claim),
  ];
}
