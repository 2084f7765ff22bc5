import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { type Gate, isUnsettled } from '../../gate/index.ts';
import type { IntentState } from '../intent.ts';
import { applyToLocked } from './apply.ts';
import type { BonusIntent } from './intent.ts';
import { lockIntent } from './intent-store.ts';
import type { IntentEvent } from './machine.ts';

/** Offers in the hands of their player: what there is to claim, and the claim. */

/** What a player is shown at once; nobody has so many open offers. */
export const mostOffersListed = 100;

/** Who the change of a claim names, where another one names an account. */
const actor = 'player';

/** What of an offer is its player's business. */
export type ListedOffer = Pick<
  BonusIntent,
  'intent_id' | 'state' | 'bonus_code' | 'amount' | 'currency' | 'created_at' | 'expires_at'
>;

/**
 * Offers of a player that can be claimed, or are claimed and under way; the newest first. What was never an offer is not among
 * them: a player learns of such a bonus from the operator.
 *
 * An offer is made without the gate, which is asked when it is claimed. So none is shown to a player who is excluded or blocked, or
 * whose protection may just have changed (docs/decisions/1033).
 */
export async function listOffers(pool: Pool, playerId: number, now: Micros): Promise<ListedOffer[]> {
  const { rows } = await pool.query<ListedOffer>({
    name: 'list_offers_of_player',
    text: `select intent_id, state, bonus_code, amount, currency, created_at, expires_at from bonus_intent i
            where i.player_id = $1 and i.offered and i.state not in ('credited', 'rejected')
              and (i.state <> 'offered' or (i.expires_at is null or i.expires_at > $2) and not ${isUnsettled('$1')}
                   and not exists (select from player_protection x where x.player_id = $1 and (x.excluded or x.blocked)))
            order by i.created_at desc, i.intent_id desc limit $3`,
    values: [playerId, timestamptzText(now), mostOffersListed],
  });
  return rows;
}

/** When the next offer expires that the player has not claimed; null where none does. */
export async function readNextOfferExpiry(pool: Pool, playerId: number, now: Micros): Promise<Micros | null> {
  const { rows } = await pool.query<{ next: Micros | null }>({
    name: 'read_next_offer_expiry',
    text: `select min(expires_at) as next from bonus_intent
            where player_id = $1 and offered and state = 'offered' and expires_at > $2`,
    values: [playerId, timestamptzText(now)],
  });
  return rows[0]?.next ?? null;
}

/** Where an offer stands after a claim. `reason` tells why a rejected one ended so. */
export interface ClaimedOffer {
  state: Exclude<IntentState, 'offered'>;
  reason: string | null;
}

/**
 * A player claims an offer: offered to pending, once, however many ask at the same time; the runner then calls the operator.
 * Who claims again is told where it stands and changes nothing.
 *
 * The gate is asked here so that a player who was blocked a moment ago is refused, and not told "claimed" of what the runner
 * will drop. Only a block or an exclusion refuses: what the gate does not know yet holds the call and not the claim, which was
 * made in time. To be committed also when it is refused: an offer that has expired, or is withheld, ends with it.
 *
 * @returns null when the player has no such offer, whoever else may have it.
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
  const step = await applyToLocked(tx, offer, event, { at, actor });
  if (step.result !== 'moved' || step.to.state === 'offered') throw new Error(`${intent_id} could not be claimed`);
  return { state: step.to.state, reason: step.to.reason };
}

/** What the claim comes to: an offer that has expired is not worth a question, the machine ends it. */
async function eventOfClaim(
  tx: PoolClient,
  { brand_id, player_id, intent_id, expires_at }: BonusIntent,
  { gate, at }: { gate: Pick<Gate, 'mayContact'>; at: Micros },
): Promise<IntentEvent> {
  if (expires_at !== null && at >= expires_at) return { type: 'claimed' };
  const contact = { brand_id, player_id, channel: 'bonus', purpose: 'bonus' } as const;
  // Without an expiry: a claim made in time counts, however long the gate then takes.
  const cause = { kind: 'intent', id: intent_id } as const;
  const [decision] = await gate.mayContact(tx, [{ ...contact, cause, expires_at: null }]);
  if (decision?.outcome !== 'withheld') return { type: 'claimed' };
  const { reason } = decision;
  return reason === 'excluded' || reason === 'blocked' ? { type: 'protected', reason } : { type: 'claimed' };
}
