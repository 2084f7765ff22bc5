import type { HaltCounts } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { withheldLaterOf } from '../results/withheld.ts';

/** A live campaign, with the fields that the watch needs. */
export interface WatchedCampaign {
  campaign_id: number;
  brand_id: number;
  code: string;
  version_id: number;
  share: number;
  /** The time at which the campaign was published or resumed, or its share changed. Earlier effects and ends of runs do not count. */
  watched_since: Micros;
  /** The time of the last resume. Earlier entries do not count as entries within a day. Null: it was never resumed. */
  day_counted_since: Micros | null;
  /** Why its last check failed; null if it succeeded. */
  unchecked_reason: string | null;
}

/** Campaigns and the tables of their runs may be stored in different databases, so they are read one after the other. */
export async function readWatched(pool: Pool): Promise<WatchedCampaign[]> {
  const { rows: active } = await pool.query<Pick<WatchedCampaign, 'campaign_id' | 'version_id' | 'share'>>(
    `select campaign_id, version_id, share from campaign_active where phase = 'live'`,
  );
  const { rows: campaigns } = await pool.query<Omit<WatchedCampaign, 'version_id' | 'share'>>(
    `select campaign_id, brand_id, code, watched_since, day_counted_since, unchecked_reason from campaign
      where campaign_id = any($1::int[]) and state = 'live' and watched_since is not null`,
    [active.map(({ campaign_id }) => campaign_id)],
  );
  const byId = new Map(campaigns.map((one) => [one.campaign_id, one]));
  return active.flatMap((one) => {
    const campaign = byId.get(one.campaign_id);
    return campaign === undefined ? [] : [{ ...campaign, ...one }];
  });
}

/** Records why the check of a live campaign failed, and since when its checks fail. */
export async function noteUnchecked(
  pool: Pool,
  { campaign_id, unchecked_reason }: WatchedCampaign,
  { at, reason }: { at: Micros; reason: string },
): Promise<void> {
  if (reason === unchecked_reason) return;
  await pool.query(
    `update campaign set unchecked_since = coalesce(unchecked_since, $2), unchecked_reason = $3
      where campaign_id = $1 and state = 'live'`,
    [campaign_id, timestamptzText(at), reason],
  );
}

/** Records that none of the live campaigns can be checked. */
export async function noteAllUnchecked(pool: Pool, { at, reason }: { at: Micros; reason: string }): Promise<void> {
  await pool.query(
    `update campaign set unchecked_since = coalesce(unchecked_since, $1), unchecked_reason = $2
      where state = 'live' and watched_since is not null and unchecked_reason is distinct from $2`,
    [timestamptzText(at), reason],
  );
}

/** Records that the check succeeded, if an earlier one failed. */
export async function noteChecked(pool: Pool, { campaign_id, unchecked_reason }: WatchedCampaign): Promise<void> {
  if (unchecked_reason === null) return;
  await pool.query('update campaign set unchecked_since = null, unchecked_reason = null where campaign_id = $1', [
    campaign_id,
  ]);
}

/**
 * Only the newest effects and the newest runs that ended are read, so that the cost does not depend on how many runs the campaign has.
 * Each list has an index in the order of time. The newest entrants would not do: while 5,000 newer runs wait, for example for an hour or for
 * the workers after a scheduled start, a check would see no run that fails.
 */
const mostRows = 5_000;

/**
 * The parts of the statement that counts. Its values: $1 is the campaign, $2 the time since which it is watched, $3 `mostRows`, $4 the time
 * since which entries count, $5 one more than the limit of entries, and $6 whether to count effects that were withheld later.
 *
 * Each part is materialized, so it is read once, and only as far as its limit.
 */

/** The newest effects. */
const asked = `asked as materialized (
  select * from (select run_id, player_id, state, reason, effect, at from campaign_run_step
                  where campaign_id = $1 and (effect is not null or state = 'withheld') order by story_id desc limit $3) s
   where at >= $2
)`;

/** The newest runs that ended. */
const ended = `ended as materialized (
  select run_id, state, moved_at from campaign_run
   where campaign_id = $1 and state in ('done', 'goal_reached', 'exited', 'failed') and moved_at >= $2
   order by moved_at desc limit $3
)`;

/**
 * The time since which both lists are complete. A full list covers only the newest part of the time. If the other one was not cut to this
 * part, the percentage of failed runs would be that of the runs in the longer part.
 */
const bothSince = `both_since as materialized (
  select greatest((select min(at) from asked having count(*) >= $3),
                  (select min(moved_at) from ended having count(*) >= $3), $2) as at
)`;

/** Runs with an effect that was withheld after it was ordered. */
const later = `later as materialized (
  select distinct run_id from asked s where $6::boolean and exists ${withheldLaterOf('s')}
)`;

/** The player of the effect `s` reported its message as spam. */
const complained = `exists (
  select from message_outcome o
   where o.player_id = s.player_id and o.message_id = s.effect ->> 'message_id' and o.complained_at is not null)`;

/** The player of the effect `s` withdrew a consent after the entry. */
const unsubscribed = `exists (
  select from player_consent c
   where c.player_id = s.player_id and c.opted_in = false and c.source in ('unsubscribe', 'site') and c.as_of >= $2
     and c.as_of >= (select entered_at from campaign_run r where r.run_id = s.run_id))`;

/** What became of each effect. `reached` means that its message was ordered. */
const seen = `seen as (
  select run_id, player_id, reached,
         state = 'withheld' and reason is distinct from 'holdout' or run_id in (select run_id from later) as withheld,
         reached and ${complained} as complained, reached and ${unsubscribed} as unsubscribed
    from (select *, effect ->> 'kind' = 'message' and state = 'done' as reached from asked) s
   where state in ('done', 'withheld')
)`;

/** Runs that ended or requested an effect, in the time that both lists cover. `failed` counts those of them that failed. */
const ran = `(select count(distinct run_id)::int
  from (select run_id from ended where moved_at >= (select at from both_since)
        union all select run_id from asked where at >= (select at from both_since)) r)`;
const failed = `(select count(*)::int from ended where state = 'failed' and moved_at >= (select at from both_since))`;

/** Stops at one more than the limit. */
const enteredInADay = `(select count(*)::int
  from (select entered_at from campaign_run where campaign_id = $1 order by run_id desc limit $5) d
 where entered_at >= $4)`;

const haltCounts = `
  with ${[asked, ended, bothSince, later, seen].join(', ')}
  select ${ran} as ran, ${failed} as failed,
         count(distinct run_id)::int as asked, count(distinct run_id) filter (where withheld)::int as withheld,
         count(distinct player_id) filter (where reached)::int as reached,
         count(distinct player_id) filter (where complained)::int as complained,
         count(distinct player_id) filter (where unsubscribed)::int as unsubscribed,
         ${enteredInADay} as entered_in_a_day
    from seen`;

/**
 * Counts what the limits of a campaign need. A run may have entered before `watched_since`: what it does afterwards counts.
 *
 * @param countsLater whether to count effects that were withheld after they were ordered. Only a limit on `withheld`
 * needs them
 */
export async function readHaltCounts(
  pool: Pool,
  { campaign_id, watched_since, day_counted_since }: WatchedCampaign,
  { at, mostPerDay, countsLater }: { at: Micros; mostPerDay: number; countsLater: boolean },
): Promise<HaltCounts> {
  const { rows } = await pool.query<HaltCounts>({
    name: 'read_campaign_halt_counts',
    text: haltCounts,
    values: [
      campaign_id,
      timestamptzText(watched_since),
      mostRows,
      timestamptzText(Math.max(at - 86_400_000_000, day_counted_since ?? 0)),
      mostPerDay + 1,
      countsLater,
    ],
  });
  return rows[0] as HaltCounts;
}
