import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { inBase, sumOf } from '../../money.ts';
import { byPrecedence } from '../../versions.ts';
import {
  type Activity,
  type ActivityStatus,
  type ActivityVersion,
  areAll,
  betKey,
  conflictsOf,
  displayedVersion,
  inForce,
} from './activity.ts';
import { oddsOf } from './odds.ts';
import { sportOf } from './sport.ts';

/*
 * What a bet is, computed only from the set of its activities (docs/reference/decisions.md 2.9): the Bet with its own
 * id, and the Settlements that refer to it.
 *
 *                 Settlement in force, a cashout
 *          open -----------------------------> cashed_out        in whole or in part: the interface does not distinguish
 *            |                                     |
 *            |  Settlement in force                |  Settlement in force, no cashout
 *            +--------------> settled <------------+
 *
 *   rolled_back   the Bet was cancelled. Meanwhile, its settlements have no effect, because they may not have been rolled
 *                 back one by one
 *   orphan        settlements or rollbacks of a Bet that is missing. They are listed and have no effect. When the Bet comes,
 *                 the state is the same as if it had come first
 *
 * The arrows can be reversed: when a settlement is rolled back, the remaining ones decide.
 */
export const betStates = ['open', 'settled', 'cashed_out', 'rolled_back', 'orphan'] as const;
export type BetState = (typeof betStates)[number];

/** A bet as stored and listed: the row of live.bet. */
export interface Bet {
  player_id: number;
  bet_key: string;
  /** activity_id of the Bet. */
  bet_id: string;
  state: BetState;
  /** The number of settlements and rollbacks whose counterpart is missing, of orphan and other bets. */
  orphans: number;
  /** The time of the Bet. For an orphan, the time of the earliest activity. */
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  /** Null for an orphan, like everything that only the Bet contains. */
  bet_type: string | null;
  live: boolean | null;
  free: boolean | null;
  risk_free: boolean | null;
  odds: DecimalText | null;
  amount: DecimalText | null;
  currency: string | null;
  exchange_rate: DecimalText | null;
  base_amount: DecimalText | null;
  /** The sum of the settlements in force. */
  base_payout: DecimalText;
  /** The number of settlements in force, including cashouts. */
  settlement_count: number;
  cashout_count: number;
  /** The time of the last settlement in force. */
  settled_at: Micros | null;
  conflicts: number;
  /** The sport with which it counts in totals; '' if it names none, or if its Bet is missing. */
  sports_name: string;
}

/** Makes the fact from the activities of one bet; undefined if there are none. */
export function betOf(activities: readonly Activity[], timeZone: string): Bet | undefined {
  const [first] = activities;
  if (first === undefined) return undefined;
  const { bet_id } = displayedVersion(first);
  const bet = betActivity(activities)?.approved[0];
  const settlements = settlementsOf(activities);
  const at = bet?.timestamp ?? Math.min(...activities.map((activity) => displayedVersion(activity).timestamp));
  return {
    player_id: first.player_id,
    bet_key: betKey(bet_id),
    bet_id,
    state: stateOf(activities, settlements),
    orphans: orphansOf(activities),
    at,
    day: dayOf(timeZone, at),
    ...stakeOf(bet),
    base_payout: sumOf(settlements.map((version) => inBase(version.amount, version.exchange_rate))),
    settlement_count: settlements.length,
    cashout_count: settlements.filter(isCashout).length,
    settled_at: settlements.at(-1)?.timestamp ?? null,
    conflicts: activities.reduce((sum, activity) => sum + conflictsOf(activity), 0),
    sports_name: sportOf(bet?.details?.selections ?? []),
  };
}

/** True if its stake and its settlements count in totals. */
export function isCounted({ state }: Pick<Bet, 'state'>): boolean {
  return state === 'open' || state === 'settled' || state === 'cashed_out';
}

function stateOf(activities: readonly Activity[], settlements: readonly ActivityVersion[]): BetState {
  const bet = betActivity(activities);
  if (bet === undefined) return 'orphan';
  if (inForce(bet) === undefined) return 'rolled_back';
  if (settlements.length === 0) return 'open';
  return settlements.every(isCashout) ? 'cashed_out' : 'settled';
}

/** The Bet that the activities belong to, rolled back or not; undefined while it is missing. */
export function betActivity(activities: readonly Activity[]): Activity | undefined {
  return activities.find(({ type, approved }) => type === 'Bet' && approved.length > 0);
}

/** The settlements in force in order of time. They count only if their Bet is in force, too. */
export function settlementsOf(activities: readonly Activity[]): ActivityVersion[] {
  const bet = betActivity(activities);
  if (bet === undefined || inForce(bet) === undefined) return [];
  return activities
    .flatMap((activity) => (activity.type === 'Settlement' ? (inForce(activity) ?? []) : []))
    .sort(byPrecedence);
}

export function isCashout({ details }: ActivityVersion): boolean {
  return details?.cashout === true;
}

export function stakeOf(bet: ActivityVersion | undefined) {
  const { amount = null, currency = null, exchange_rate = null, details } = bet ?? {};
  const { selections = [] } = details ?? {};
  return {
    amount,
    currency,
    exchange_rate,
    base_amount: bet === undefined ? null : inBase(bet.amount, bet.exchange_rate),
    bet_type: details?.bet_type ?? null,
    live: bet === undefined ? null : selections.some(({ is_live }) => is_live === true),
    free: bet === undefined ? null : areAll(selections, 'is_free_bet'),
    risk_free: bet === undefined ? null : areAll(selections, 'is_risk_free_bet'),
    odds: details === undefined ? null : (details.odds ?? oddsOf(details.bet_type, selections)),
  };
}

/** True if the events of one status of an activity have no effect because what they belong to is missing. */
export function isOrphan(status: ActivityStatus, activity: Activity, ofSameBet: readonly Activity[]): boolean {
  if (status === 'Rollback') return activity.rollbacks.length > 0 && activity.approved.length === 0;
  return activity.approved.length > 0 && betActivity(ofSameBet) === undefined;
}

function orphansOf(activities: readonly Activity[]): number {
  const ofStatus = (status: ActivityStatus) => activities.filter((each) => isOrphan(status, each, activities)).length;
  return ofStatus('Approved') + ofStatus('Rollback');
}
