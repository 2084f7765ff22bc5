import { allSteps, type Campaign, type Reentry } from './document.ts';

/** A campaign within these limits does not need the approval of a second person. */
export interface ApprovalLimits {
  /** Number of players that a campaign may reach; null if there is no limit. */
  players: number | null;
  /** The maximum cost of its bonuses, as decimal text in the base currency; null if there is no limit. */
  money: string | null;
}

/** How far a campaign may reach. */
export interface CampaignReach {
  /** Maximum number of players who may enter. */
  players: number;
  baseCurrency: string;
}

/** Why a second person has to approve a version, as sentences for people. Empty if no approval is required. */
export function approvalReasons(campaign: Campaign, reach: CampaignReach, limits: ApprovalLimits): string[] {
  const { players, baseCurrency } = reach;
  const reasons: string[] = [];
  if (limits.players !== null && players > limits.players)
    reasons.push(`it may reach ${players} players, above the limit of ${limits.players}`);
  if (limits.money === null) return reasons;
  const bonuses = allSteps(campaign.steps).filter(
    (step) => 'credit' in step || 'credit_funds' in step || 'offer' in step,
  );
  if (bonuses.length === 0) return reasons;
  const amounts = bonuses.map((step) =>
    'credit_funds' in step && step.credit_funds.currency.toUpperCase() === baseCurrency
      ? step.credit_funds.amount
      : null,
  );
  const unknown = bonuses.filter((_, place) => amounts[place] === null).map(({ id }) => id);
  if (unknown.length > 0) reasons.push(`the cost of the bonuses of ${unknown.join(', ')} is unknown`);
  const entries = entriesPerPlayer(campaign.reentry);
  if (entries === null) {
    reasons.push('players may enter again without limit, so the cost of the bonuses is unlimited');
    return reasons;
  }
  const cost = amounts.reduce((sum, amount) => sum + units(amount ?? '0'), 0n) * BigInt(players) * BigInt(entries);
  if (cost > units(limits.money))
    reasons.push(`its bonuses may cost ${text(cost)} ${baseCurrency}, above the limit of ${limits.money}`);
  return reasons;
}

/** How often a player may enter; null if there is no limit. A run reaches each step at most once. */
function entriesPerPlayer(reentry: Reentry = { times: 1 }): number | null {
  return 'times' in reentry && reentry.times !== 'unlimited' ? reentry.times : null;
}

const places = 8;

/** Decimal text in units of 10^-8. */
function units(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole) * 10n ** BigInt(places) + BigInt(part.slice(0, places).padEnd(places, '0'));
}

function text(amount: bigint): string {
  const whole = amount / 10n ** BigInt(places);
  const part = String(amount % 10n ** BigInt(places))
    .padStart(places, '0')
    .replace(/0+$/, '')
    .padEnd(2, '0');
  return `${whole}.${part}`;
}
