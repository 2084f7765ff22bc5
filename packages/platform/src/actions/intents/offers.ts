import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { type Gate, isUnsettled } from '../../gate/index.ts';
import { type CampaignHold, campaignHoldOf } from '../../outgoing/index.ts';
import type { IntentState } from '../intent.ts';
import { applyToLocked } from './apply.ts';
import type { BonusIntent } from './intent.ts';
import { lockIntent } from './intent-store.ts';
import type { IntentEvent } from './machine.ts';

/** Offers of a player: the list of claimable offers, and the claim. */

/** Maximum number of offers shown at once; real players have fewer open offers. */
export const mostOffersListed = 100;

/** The actor stored with a claim; other changes store an account. */
const actor = 'player';

/** The fields of an offer that its player may see. */
export type ListedOffer = Pick<
  BonusIntent,
  'intent_id' | 'state' | 'bonus_code' | 'amount' | 'currency' | 'created_at' | 'expires_at'
>;

/**
 * Offers that the player can claim, and claimed offers that are being credited; newest first. Intents that were never offers
 * are not included: a player learns of such a bonus from the operator.
 *
 * Creating an offer does not ask the gate; the gate decides when the player claims it. So no unclaimed offer is shown to
 * a player who is excluded or blocked, or whose protection may just have changed (docs/decisions/1033). Nor is an unclaimed offer
 * of a campaign shown while the campaign is paused, or after it was stopped.
 */
export async function listOffers(pool: Pool, playerId: number, now: Micros): Promise<ListedOffer[]> {
  const { rows } = await pool.query<ListedOffer>({
    name: 'list_offers_of_player',
    text: `select intent_id, state, bonus_code, amount, currency, created_at, expires_at from bonus_intent q
            where q.player_id = $1 and q.offered and q.state not in ('credited', 'rejected')
              and (q.state <> 'offered' or (q.expires_at is null or q.expires_at > $2) and not ${isUnsettled('$1')}
                   and not exists (select from player_protection x where x.player_id = $1 and (x.excluded or x.blocked))
                   and ${campaignHoldOf('activity_id')} is null)
            order by q.created_at desc, q.intent_id desc limit $3`,
    values: [playerId, timestamptzText(now), mostOffersListed],
  });
  return rows;
}

/** The expiry of the player's next unclaimed offer; null if none expires. */
export async function readNextOfferExpiry(pool: Pool, playerId: number, now: Micros): Promise<Micros | null> {
  const { rows } = await pool.query<{ next: Micros | null }>({
    name: 'read_next_offer_expiry',
    text: `select min(expires_at) as next from bonus_intent
            where player_id = $1 and offered and state = 'offered' and expires_at > $2`,
    values: [playerId, timestamptzText(now)],
  });
  return rows[0]?.next ?? null;
}

/**
 * The state of an offer after a claim. `reason` explains a rejection. `offered`: its campaign is paused, so the player can claim it
 * only after a resume.
 */
export type ClaimedOffer =
  | { state: Exclude<IntentState, 'offered'>; reason: string | null }
  | { state: 'offered'; reason: 'campaign_paused' };

/**
 * A player claims an offer. It moves from offered to pending once, however many claims arrive at the same time; the runner then
 * calls the operator. A repeated claim returns the current state and has no effect.
 *
 * The gate decides here so that a player who was blocked a moment ago is refused, instead of getting "claimed" for an offer
 * that the runner will drop. Only a block or an exclusion refuses the claim. Information that the gate still needs delays the
 * call, not the claim, which was made in time. Commit the transaction even after a refusal, because it also ends an offer
 * that has expired or is withheld.
 *
 * A pause or stop of the campaign and a claim wait for each other, so the first one to commit decides. A claim after a stop ends the
 * offer; one during a pause changes nothing.
 *
 * @returns null if the player has no such offer, whether or not another player has it
 */
export async function claimOffer(
  tx: PoolClient,
  { player_id, intent_id }: { player_id: number; intent_id: string },
  { gate, at }: { gate: Pick<Gate, 'mayContact'>; at: Micros },
): Promise<ClaimedOffer | null> {
  const offer = await lockIntent(tx, intent_id);
  if (offer === null || offer.player_id !== player_id || !offer.offered) return null;
  const { state, reason } = offer;
  if (state !== 'offered') return { state, reason };
  const event = await eventOfClaim(tx, offer, { gate, at });
  if (event === 'campaign_paused') return { state, reason: event };
  const step = await applyToLocked(tx, offer, event, { at, actor });
  if (step.result !== 'moved' || step.to.state === 'offered') throw new Error(`${intent_id} could not be claimed`);
  return { state: step.to.state, reason: step.to.reason };
}

/** The event of the claim. For an expired offer, the gate does not decide; the machine ends the offer. */
async function eventOfClaim(
  tx: PoolClient,
  { brand_id, player_id, intent_id, expires_at }: BonusIntent,
  { gate, at }: { gate: Pick<Gate, 'mayContact'>; at: Micros },
): Promise<IntentEvent | 'campaign_paused'> {
  if (expires_at !== null && at >= expires_at) return { type: 'claimed' };
  const hold = await lockHold(tx, intent_id);
  if (hold !== null) return hold === 'campaign_paused' ? hold : { type: hold };
  const contact = { brand_id, player_id, channel: 'bonus', purpose: 'bonus' } as const;
  // No expiry is passed: a claim made in time is valid, however long the gate takes afterwards.
  const cause = { kind: 'intent', id: intent_id } as const;
  const [decision] = await gate.mayContact(tx, [{ ...contact, cause, expires_at: null }]);
  if (decision?.outcome !== 'withheld') return { type: 'claimed' };
  const { reason } = decision;
  return reason === 'excluded' || reason === 'blocked' ? { type: 'protected', reason } : { type: 'claimed' };
}

/** Whether the campaign of an offer is paused or stopped. This stays true or false until the transaction ends. */
async function lockHold(tx: PoolClient, intentId: string): Promise<CampaignHold | null> {
  const { rows } = await tx.query<{ hold: CampaignHold | null }>({
    name: 'lock_hold_of_offer',
    text: `select ${campaignHoldOf('activity_id', { lock: true })} as hold from bonus_intent q where q.intent_id = $1`,
    values: [intentId],
  });
  return rows[0]?.hold ?? null;
}
