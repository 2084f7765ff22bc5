import { allSteps, type Campaign, type Reentry } from './document.ts';

/** What is within these limits does not need the approval of a second person. */
export interface ApprovalLimits {
  /** Number of players that may be reached; null if there is no limit. */
  players: number | null;
  /** The maximum cost of the bonuses, as decimal text in the base currency; null if there is no limit. */
  money: string | null;
}

/** What a campaign, or an order for a whole segment, may do. */
export interface PlannedContacts extends CampaignReach {
  /** The bonuses of one player. The amount is decimal text in the base currency, and null if the cost is unknown. */
  bonuses: readonly { name: string; amount: string | null }[];
  /** How often a player may get the bonuses; null if there is no limit. */
  times: number | null;
  /**
   * For what continues until it is stopped, so that new players may get the bonuses every day: how many get them within a day at most, or
   * `unlimited`. Absent: no new players.
   */
  perDay?: number | 'unlimited';
}

/** How far a campaign may reach. */
export interface CampaignReach {
  /** Maximum number of players who may enter. */
  players: number;
  baseCurrency: string;
}

/** Why a second person has to approve a version, as sentences for people. Empty if no approval is required. */
export function approvalReasons(campaign: Campaign, reach: CampaignReach, limits: ApprovalLimits): string[] {
  const bonuses = allSteps(campaign.steps)
    .filter((step) => 'credit' in step || 'credit_funds' in step || 'offer' in step)
    .map((step) => ({
      name: step.id,
      amount:
        'credit_funds' in step && step.credit_funds.currency.toUpperCase() === reach.baseCurrency
          ? step.credit_funds.amount
          : null,
    }));
  const times = entriesPerPlayer(campaign.reentry);
  return reasonsAbove(limits, { ...reach, bonuses, times, ...(continues(campaign) && { perDay: perDayOf(campaign) }) });
}

/** Whether new players may enter for as long as the campaign is live. Only a single start by a schedule has a known number of players. */
function continues({ entry }: Campaign): boolean {
  return !('schedule' in entry) || 'every' in entry.schedule;
}

function perDayOf({ halt }: Campaign): number | 'unlimited' {
  return halt?.entered_per_day ?? 'unlimited';
}

/** Why contacts are above the limits, as sentences for people. Empty if they are within the limits. */
export function reasonsAbove(limits: ApprovalLimits, planned: PlannedContacts): string[] {
  const { players, bonuses, times, baseCurrency, perDay } = planned;
  const reasons: string[] = [];
  if (limits.players !== null && players > limits.players)
    reasons.push(`it may reach ${players} players, above the limit of ${limits.players}`);
  if (limits.money === null || bonuses.length === 0) return reasons;
  const unknown = bonuses.filter(({ amount }) => amount === null).map(({ name }) => name);
  if (unknown.length > 0) reasons.push(`the cost of the bonuses of ${unknown.join(', ')} is unknown`);
  if (times === null) {
    reasons.push('players may enter again without limit, so the cost of the bonuses is unlimited');
    return reasons;
  }
  if (perDay === 'unlimited') {
    reasons.push(
      'new players may enter for as long as it is live, so the cost of the bonuses is unlimited; `halt.entered_per_day` limits it',
    );
    return reasons;
  }
  const each = bonuses.reduce((sum, { amount }) => sum + units(amount ?? '0'), 0n);
  const cost = each * BigInt(players) * BigInt(times);
  if (cost > units(limits.money))
    reasons.push(`its bonuses may cost ${text(cost)} ${baseCurrency}, above the limit of ${limits.money}`);
  const costPerDay = each * BigInt(perDay ?? 0);
  if (costPerDay > units(limits.money))
    reasons.push(`its bonuses may cost ${text(costPerDay)} ${baseCurrency} a day, above the limit of ${limits.money}`);
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
