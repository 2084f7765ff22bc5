import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { databaseTime, timestamptzText, transaction } from '../../database/index.ts';
import { rowsOf } from '../../outgoing/index.ts';
import { applyIntentEvents } from './apply.ts';

/** Intents per transaction. */
const limit = 200;

/**
 * Credits that a run ordered, that have no open call, and that were certainly not credited. A claimed offer belongs to its
 * player, even after a stop.
 */
const credits = `q.due_for = 'call' and q.activity_id is not null and q.state in ('pending', 'retry') and q.open_attempt is null
               and not q.offered`;
/** Offers that a run made and that their player has not claimed. */
const offers = `q.state = 'offered' and q.activity_id is not null`;
const rows = (change: 'stopped' | 'resumed', waits: string) =>
  rowsOf(change, { table: 'bonus_intent', key: 'intent_id', column: 'activity_id', waits, limit });

export interface SweptIntents {
  rejected: number;
  resumed: number;
  /** Whether another call would find more now. */
  more: boolean;
}

/**
 * Rejects waiting credits and unclaimed offers of stopped campaigns, which releases their budget. Makes waiting credits of resumed campaigns
 * due. A pause needs no sweep: each credit is held when it is due (attempt.ts), and offers are hidden (offers.ts). Safe to repeat and to run
 * in several workers.
 */
export async function sweepCampaignIntents(pool: Pool, at: Micros): Promise<SweptIntents> {
  const ended = {
    credits: await endStopped(pool, { name: 'lock_stopped_bonus_intents', text: rows('stopped', credits) }, at),
    offers: await endStopped(pool, { name: 'lock_stopped_bonus_offers', text: rows('stopped', offers) }, at),
  };
  const { rowCount } = await pool.query({
    name: 'resume_bonus_intents',
    text: `update bonus_intent t set due_at = $1, claim = null from (${rows('resumed', credits)}) w where t.intent_id = w.intent_id`,
    values: [timestamptzText(await databaseTime(pool))],
  });
  const resumed = rowCount ?? 0;
  const more = Math.max(ended.credits, ended.offers, resumed) >= limit;
  return { rejected: ended.credits + ended.offers, resumed, more };
}

async function endStopped(pool: Pool, lock: { name: string; text: string }, at: Micros): Promise<number> {
  return transaction(pool, async (tx) => {
    const { rows: stopped } = await tx.query<{ intent_id: string }>(lock);
    const asked = stopped.map(({ intent_id }) => ({ intent_id, event: { type: 'campaign_stopped' } as const }));
    return (await applyIntentEvents(tx, asked, { at })).moved;
  });
}
