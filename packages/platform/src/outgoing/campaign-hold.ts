/*
 * Effects that campaigns ordered are queued until their call. They may wait in the queue for a rate, a circuit or a retry. Meanwhile,
 * the campaign may be paused or stopped. So the transaction that begins a call reads the campaign's phase together with the row:
 *
 *   paused  : the row waits. The campaign's sweep (campaigns/halt/sweep.ts) makes it due again after a resume.
 *   stopped : the row ends without a call. This includes rows ordered before the stop of a campaign that was published again.
 *
 * Calls that have begun are not affected. The sweep does the same for rows that no worker claims. So people see the new state at
 * once, and a long queue of a paused campaign does not delay other rows of the same place.
 */

/** Why a queued effect waits, or ended. */
export type CampaignHold = 'campaign_paused' | 'campaign_stopped';

/** Constant SQL on `q` and the campaign `a`: true if a run ordered the row. Rows that no run ordered may also name a campaign. */
const isOrderedBy = (column: string) =>
  `a.brand_id = q.brand_id and a.code = q.${column} and q.created_by = 'campaign ' || a.code`;
const isStopped = `(a.phase = 'stopped' or q.created_at <= a.stopped_at)`;

/**
 * SQL on the queue's row `q`: a CampaignHold or null.
 *
 * @param column names the campaign
 * @param lock whether a pause or stop that is not committed yet waits for this transaction, or this transaction for it
 */
export function campaignHoldOf(column: string, { lock = false } = {}): string {
  return `(select case when ${isStopped} then 'campaign_stopped' when a.phase = 'paused' then 'campaign_paused' end
             from campaign_active a where ${isOrderedBy(column)}${lock ? ' for share' : ''})`;
}

/**
 * SQL that locks rows of a queue whose campaign was stopped, paused or resumed: a `select` of `key` from campaigns `a` and
 * rows `q`. It reads an index on (brand_id, the column, created_at), so a campaign with nothing queued costs one index probe.
 *
 * @param waits condition on `q`: which rows wait for a call, or for their player
 */
export function rowsOf(
  change: 'stopped' | 'paused' | 'resumed',
  { table, key, column, waits, limit }: { table: string; key: string; column: string; waits: string; limit: number },
): string {
  const campaigns = {
    stopped: `(phase = 'stopped' or stopped_at is not null)`,
    paused: `phase = 'paused'`,
    resumed: `phase = 'live'`,
  };
  const ofRow = {
    stopped: `q.created_at <= case when a.phase = 'stopped' then 'infinity' else a.stopped_at end`,
    paused: `q.reason is distinct from 'campaign_paused'`,
    resumed: `q.reason = 'campaign_paused'`,
  };
  return `select d.${key} from (select brand_id, code, phase, stopped_at from campaign_active where ${campaigns[change]}) a
          cross join lateral (
            select q.${key} from ${table} q
             where ${isOrderedBy(column)} and ${waits} and ${ofRow[change]} limit ${limit} for update of q skip locked
          ) d limit ${limit}`;
}
