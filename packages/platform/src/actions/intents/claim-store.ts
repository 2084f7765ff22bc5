import type { Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { type CampaignHold, campaignHoldOf, Queue } from '../../outgoing/index.ts';
import type { BonusIntent, IntentKind } from './intent.ts';
import { columnsOf, intentColumns } from './intent-store.ts';

/*
 * Claims on intents. They work like those of the engine (outgoing/queue.ts), with the database's clock:
 *
 *     due for call --claimed--> due_at = end of the claim --begun--> due for answer, due_at = end of the call --answered--> (machine)
 *          ^                          |                                    |
 *          '---- expired, released ---'                                    '-- expired: the call is lost, the intent unknown
 *
 * If a claim is lost before the call, nothing else is lost. If it is lost after the call began, the outcome of the call is unknown, and the
 * intent becomes unknown.
 */

export interface IntentClaim {
  claim: number;
  intent_id: string;
  brand_id: number;
  kind: IntentKind;
  /** Null if the player no longer exists. */
  user_id: string | null;
}

/** From the claim to the start of the call: two short transactions. */
export const claimMs = 15_000;

/** An intent that is about to be called, with the state of the campaign that ordered it. */
export type DueIntent = BonusIntent & { campaign_hold: CampaignHold | null };

export const intentQueue = new Queue<Pick<IntentClaim, 'brand_id' | 'kind'>, IntentClaim, DueIntent>({
  table: 'bonus_intent',
  key: { intent_id: 'uuid' },
  place: { brand_id: 'int', kind: 'text' },
  waits: `q.due_for = 'call'`,
  brings: ['(select p.user_id from player p where p.player_id = q.player_id) as user_id'],
  reads: `${columnsOf('q')}, ${campaignHoldOf('activity_id')} as campaign_hold`,
});

/** Intents that are due without a call: an offer that expires, a lost call, the end of waiting for a proof. */
export async function selectOverdue(pool: Pool, limit: number): Promise<{ intent_id: string }[]> {
  const { rows } = await pool.query<{ intent_id: string }>({
    name: 'overdue_bonus_intents',
    text: `select intent_id from bonus_intent where due_for <> 'call' and due_at <= now() order by due_at limit $1`,
    values: [limit],
  });
  return rows;
}

/** Postpones an intent that could not be moved. */
export async function postponeOverdue(pool: Pool, intentId: string, waitMs: number): Promise<void> {
  await pool.query(
    `update bonus_intent set due_at = $2::timestamptz + $3::int * interval '1 millisecond'
      where intent_id = $1 and due_for <> 'call' and due_at <= $2`,
    [intentId, timestamptzText(await databaseTime(pool)), waitMs],
  );
}

/** Locks an intent if it is still overdue. Returns null if another worker is moving it, or has moved it. */
export async function lockOverdue(tx: Pick<Pool, 'query'>, intentId: string): Promise<BonusIntent | null> {
  const { rows } = await tx.query<BonusIntent>({
    name: 'lock_overdue_bonus_intent',
    text: `select ${intentColumns} from bonus_intent i
            where i.intent_id = $1 and i.due_for <> 'call' and i.due_at <= now() for update skip locked`,
    values: [intentId],
  });
  return rows[0] ?? null;
}
