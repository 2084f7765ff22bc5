import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { LookUp, LookUpFailure } from '../../calling/index.ts';
import type { Lane } from './lane.ts';
import type { FreeSlots } from './slots.ts';

/*
 * The life of a row of player_sync:
 *
 *                    request                        claim
 *     (none) ----------------------> due -------------------------> claimed
 *                                   ^ ^ ^                            | | |
 *        request, or waited long    | | '-- claim ran out (dead) ----' | |
 *     current / waiting / parked ---' '---- requested meanwhile -------' |
 *        ^                                                               |
 *        '----------------- settled: done, or next try, or parked -------'
 *
 * A claim is a number that no other claim ever had, and the time at which it runs out. Whoever settles must still hold
 * both: a worker that was stopped and woken finds its claim run out or taken over, and writes nothing.
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
  /** Failures in a row before this try. */
  attempts: number;
}

export interface WantedClaims extends FreeSlots {
  /** How long the claims hold: longer than a look-up may take. */
  claim_ms: number;
  /** Also what is long overdue. */
  overdue: boolean;
}

/** How far back due rows are looked for in an ordinary round; see `claimDue`. */
const freshWindow = '60 seconds';

/**
 * Claims what is due, oldest first, at most `free` rows per entry.
 *
 * A long transaction elsewhere (a dump) keeps dead index entries from being cleaned, and those of a queue all lie at its
 * head, where every claim begins to read. Five minutes of that at 500 look-ups a second leave 300,000 of them: 155 ms per
 * claim. Beginning a minute back it is 3 ms, so only those entries that ask for the overdue, too, read from the start.
 */
export async function claimDue(pool: Pool, wanted: readonly WantedClaims[]): Promise<LookUpClaim[]> {
  if (wanted.length === 0) return [];
  const { rows } = await pool.query<LookUpClaim>({
    name: 'claim_look_ups',
    text: `with due as (
             select d.player_id, d.look_up, w.claim_ms
               from unnest($1::int[], $2::text[], $3::smallint[], $4::int[], $5::int[], $6::bool[])
                      as w (brand_id, look_up, lane, free, claim_ms, overdue)
              cross join lateral (
                select s.player_id, s.look_up
                  from player_sync s
                 where s.brand_id = w.brand_id and s.look_up = w.look_up and s.lane = w.lane
                   and s.due_at <= now()
                   and s.due_at > case when w.overdue then '-infinity' else now() - interval '${freshWindow}' end
                 order by s.due_at
                 limit w.free
                   for update skip locked
              ) d
           )
           update player_sync s
              set claim = nextval('player_sync_claim'),
                  due_at = now() + due.claim_ms * interval '1 millisecond'
             from due join player p on p.player_id = due.player_id
            where s.player_id = due.player_id and s.look_up = due.look_up
           returning s.claim, s.player_id, p.user_id, s.look_up, s.brand_id, s.lane, s.requested as request, s.attempts`,
    values: [
      wanted.map((entry) => entry.brand_id),
      wanted.map((entry) => entry.look_up),
      wanted.map((entry) => entry.lane),
      wanted.map((entry) => entry.free),
      wanted.map((entry) => entry.claim_ms),
      wanted.map((entry) => entry.overdue),
    ],
  });
  return rows;
}

export interface HeldClaim {
  player_id: number;
  look_up: LookUp;
  /** When what is known so far was asked for. */
  as_of: Micros | null;
}

/**
 * Locks the rows whose claim still holds, until the transaction ends. Rows that somebody else has locked at the moment
 * are named apart: that is derive, noting a further request, and its transaction may be long; nobody waits for it here.
 */
export async function lockHeldClaims(
  tx: ClientBase,
  claims: readonly LookUpClaim[],
): Promise<{ held: HeldClaim[]; busy: Pick<HeldClaim, 'player_id' | 'look_up'>[] }> {
  const { rows: held } = await tx.query<HeldClaim>({
    name: 'lock_held_look_ups',
    text: `${heldClaims('s.player_id, s.look_up, s.as_of')} order by s.player_id, s.look_up for update of s skip locked`,
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
        parked: boolean;
        to_background: boolean;
      }
  );

/** Ends claims that are locked. A request that came meanwhile makes the row due at once, whatever the outcome. */
export async function settle(tx: ClientBase, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query({
    name: 'settle_look_ups',
    text: `update player_sync s
              set claim = null,
                  done = case when r.as_of is null then s.done else r.request end,
                  due_at = case when s.requested > r.request then now() else now() + r.delay_ms * interval '1 millisecond' end,
                  lane = case when r.to_background and s.requested = r.request then 1 else s.lane end,
                  attempts = case when r.as_of is null and s.requested = r.request then s.attempts + 1 else 0 end,
                  parked = coalesce(r.parked, false) and s.requested = r.request,
                  as_of = coalesce(r.as_of, s.as_of),
                  failing_since = case when r.as_of is null then coalesce(s.failing_since, r.failed_at) end,
                  failed_at = coalesce(r.failed_at, s.failed_at),
                  failure = coalesce(r.failure, s.failure),
                  failure_detail = coalesce(r.detail, s.failure_detail)
             from jsonb_to_recordset($1::jsonb) as r (
                    player_id bigint, look_up text, request bigint, as_of timestamptz,
                    failure text, detail text, failed_at timestamptz, delay_ms bigint, parked boolean, to_background boolean)
            where s.player_id = r.player_id and s.look_up = r.look_up`,
    values: [
      JSON.stringify(
        settlements.map((one) =>
          'as_of' in one
            ? { ...one, as_of: timestamptzText(one.as_of) }
            : { ...one, failed_at: timestamptzText(one.failed_at) },
        ),
      ),
    ],
  });
}

/** Gives claims back unsettled: due again at once. For a worker that stops. */
export async function releaseClaims(pool: Pool, claims: readonly LookUpClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await pool.query(
    `update player_sync s set claim = null, due_at = now()
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as c (player_id, look_up, claim)
      where s.player_id = c.player_id and s.look_up = c.look_up and s.claim = c.claim`,
    keysOf(claims),
  );
}

/** Makes due what lies further ahead than any wait or claim can. @returns how many rows that were. */
export async function bringBackStranded(pool: Pool, furthestMs: number): Promise<number> {
  const { rowCount } = await pool.query(
    `update player_sync set claim = null, due_at = now() where due_at > now() + $1 * interval '1 millisecond'`,
    [furthestMs],
  );
  return rowCount ?? 0;
}

/** Moves everything that waits, and every claim, to an earlier time. @returns how many rows that were. */
export async function moveDueTimes(pool: Pool, earlierByMs: number): Promise<number> {
  const { rowCount } = await pool.query(
    `update player_sync set due_at = due_at - $1 * interval '1 millisecond' where due_at > now()`,
    [earlierByMs],
  );
  return rowCount ?? 0;
}

function keysOf(claims: readonly LookUpClaim[]): [number[], string[], number[]] {
  return [
    claims.map((claim) => claim.player_id),
    claims.map((claim) => claim.look_up),
    claims.map((claim) => claim.claim),
  ];
}
