import type { ClaimResult, Micros, Reward } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type ClaimedOffer, claimOffer, type ListedOffer, listOffers } from '../../actions/index.ts';
import { siteTime } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { Caller } from '../session/caller.ts';

/** The player's view of offered intents, without calls, doubts and staff. Notes are internal to staff. */
export async function pendingRewards(pool: Pool, { player_id }: Caller, now: Micros): Promise<Reward[]> {
  return (await listOffers(pool, player_id, now)).map(presentReward);
}

function presentReward(offer: ListedOffer): Reward {
  return {
    Id: offer.intent_id,
    Code: offer.bonus_code,
    State: offer.state === 'offered' ? 'offered' : 'claimed',
    Amount: offer.amount,
    Currency: offer.currency,
    Date: siteTime(offer.created_at),
    Expires: offer.expires_at === null ? null : siteTime(offer.expires_at),
  };
}

export type ClaimVerdict =
  | ClaimResult['State']
  | 'unknown_reward'
  | 'reward_expired'
  | 'reward_withdrawn'
  | 'reward_paused';

interface ClaimDeps {
  pool: Pool;
  gate: Pick<Gate, 'mayContact'>;
  now: () => Micros;
}

/** One transaction: when it resolves, the claim, or the end of an offer that was claimed too late, is durable. */
export async function claimReward(
  { pool, gate, now }: ClaimDeps,
  { player_id }: Caller,
  intent_id: string,
): Promise<ClaimVerdict> {
  const claimed = await transaction(pool, (tx) => claimOffer(tx, { player_id, intent_id }, { gate, at: now() }));
  return claimed === null ? 'unknown_reward' : verdictOf(claimed);
}

/** The result of a claim for the player; repeated claims get the same result while the intent does not change. Pure. */
export function verdictOf({ state, reason }: ClaimedOffer): ClaimVerdict {
  if (state === 'credited') return 'credited';
  if (state === 'offered') return 'reward_paused';
  if (state !== 'rejected') return 'claimed';
  return reason === 'expired' ? 'reward_expired' : 'reward_withdrawn';
}
