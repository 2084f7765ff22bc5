import { type DecimalText, dayOf } from '@croupier/contracts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import { type Activity, type ActivityVersion, inForce } from './activity.ts';
import { betActivity, isCashout, settlementsOf, stakeOf } from './bet.ts';
import { sportOf } from './sport.ts';

/**
 * What a bet adds to the totals of its player: its stake at its own time, and each settlement in force at that
 * settlement's time. The bet counts as settled with the first of them, even if it is a cashout. Everything counts with
 * the sport of the bet.
 */
export function partsOf(activities: readonly Activity[], timeZone: string): Part[] {
  const bet = betActivity(activities);
  const stake = bet === undefined ? undefined : inForce(bet);
  if (bet === undefined || stake === undefined) return [];
  const of = { player_id: bet.player_id, by: { sports_name: sportOf(stake.details?.selections ?? []) } };
  const settlements = settlementsOf(activities);
  return [
    stakePart(of, stake, timeZone),
    ...settlements.map((version, i) => payoutPart(of, version, i === 0, timeZone)),
  ];
}

function stakePart(of: Pick<Part, 'player_id' | 'by'>, stake: ActivityVersion, timeZone: string): Part {
  const { live, free, base_amount } = stakeOf(stake);
  return {
    ...of,
    at: stake.timestamp,
    day: dayOf(timeZone, stake.timestamp),
    counts: { bet_count: 1, free_bet_count: free ? 1 : 0, live_bet_count: live ? 1 : 0 },
    sums: partSums('bet', stake),
    biggest: { bet_biggest: base_amount ?? '0' },
    dated: ['bet'],
  };
}

function payoutPart(
  of: Pick<Part, 'player_id' | 'by'>,
  version: ActivityVersion,
  settles: boolean,
  timeZone: string,
): Part {
  const isWin = version.amount !== '0';
  return {
    ...of,
    at: version.timestamp,
    day: dayOf(timeZone, version.timestamp),
    counts: { win_count: isWin ? 1 : 0, settled_count: settles ? 1 : 0, cashout_count: isCashout(version) ? 1 : 0 },
    sums: partSums('win', version),
    ...(isWin && { biggest: { win_biggest: inBase(version.amount, version.exchange_rate) }, dated: ['win'] }),
  };
}

function partSums(word: 'bet' | 'win', { details, exchange_rate }: ActivityVersion): Record<string, DecimalText> {
  const { real = '0', bonus = '0', locked = '0' } = details?.parts ?? {};
  return {
    [`real_${word}_sum`]: inBase(real, exchange_rate),
    [`bonus_${word}_sum`]: inBase(bonus, exchange_rate),
    [`locked_${word}_sum`]: inBase(locked, exchange_rate),
  };
}
