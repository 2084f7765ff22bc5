import type { DecimalText, Micros } from '@croupier/contracts';
import { type BaseUnits, baseText, type Hundredths, type Millionths, toBase } from '../money.ts';
import { type Moment, type ProductTotals, productTotals } from './product-totals.ts';

/**
 * The sportsbook's book of one player's bets. Each payment on a bet (a partial cashout, the settlement, its correction) is its
 * own entry next to the bet. If a payment is corrected, its entry is taken back. The payout of the bet is the sum of its
 * entries in force.
 */
export interface BetTruth {
  activity_id: string;
  placed_at: Micros;
  /** `rolled_back`: taken back by the bookmaker. It no longer counts as a bet, and payouts on it are not wins. */
  state: 'open' | 'settled' | 'cashed_out' | 'rolled_back';
  free: boolean;
  live: boolean;
  /** In base currency. */
  stake: DecimalText;
  payout: DecimalText;
  /** Payments in force, and how many of them are cashouts. */
  settlements: number;
  cashouts: number;
}

export interface BetTotals extends ProductTotals {
  settled_count: number;
  cashout_count: number;
  free_bet_count: number;
  live_bet_count: number;
}

interface Money {
  at: Micros;
  amount: Hundredths;
  rate: Millionths;
}

/** A payment on a bet. */
export interface PayoutEntry extends Money {
  cashout: boolean;
  takenBack: boolean;
}

/** A bet in the book. */
export interface BetEntry extends Money {
  activity_id: string;
  free: boolean;
  live: boolean;
  void: boolean;
  payouts: PayoutEntry[];
}

export type BetBook = ReturnType<typeof createBetBook>;

export function createBetBook() {
  const bets: BetEntry[] = [];
  return {
    placed(bet: Omit<BetEntry, 'void' | 'payouts'>): BetEntry {
      const entry: BetEntry = { ...bet, void: false, payouts: [] };
      bets.push(entry);
      return entry;
    },
    paid(bet: BetEntry, payout: Omit<PayoutEntry, 'takenBack'>): PayoutEntry {
      const entry = { ...payout, takenBack: false };
      bet.payouts.push(entry);
      return entry;
    },
    tookBack(payout: PayoutEntry): void {
      payout.takenBack = true;
    },
    voided(bet: BetEntry): void {
      bet.void = true;
    },
    bets: (): BetTruth[] => bets.map(betTruth),
    totals: (): BetTotals => {
      const standing = bets.filter((bet) => !bet.void);
      const payouts = standing.flatMap(inForce);
      return {
        ...productTotals(standing.flatMap(momentsOf)),
        settled_count: standing.filter((bet) => stateOf(bet) === 'settled').length,
        cashout_count: payouts.filter(({ cashout }) => cashout).length,
        free_bet_count: standing.filter(({ free }) => free).length,
        live_bet_count: standing.filter(({ live }) => live).length,
      };
    },
  };
}

function inForce(bet: BetEntry): PayoutEntry[] {
  return bet.void ? [] : bet.payouts.filter(({ takenBack }) => !takenBack);
}

function stateOf(bet: BetEntry): BetTruth['state'] {
  if (bet.void) return 'rolled_back';
  const standing = inForce(bet);
  if (standing.length === 0) return 'open';
  return standing.every(({ cashout }) => cashout) ? 'cashed_out' : 'settled';
}

function betTruth(bet: BetEntry): BetTruth {
  const { activity_id, at, free, live } = bet;
  const standing = inForce(bet);
  return {
    activity_id,
    placed_at: at,
    state: stateOf(bet),
    free,
    live,
    stake: baseText(baseValue(bet)),
    payout: baseText(standing.reduce((sum, payout) => sum + baseValue(payout), 0n)),
    settlements: standing.length,
    cashouts: standing.filter(({ cashout }) => cashout).length,
  };
}

function baseValue({ amount, rate }: Money): BaseUnits {
  return toBase(amount, rate);
}

function momentsOf(bet: BetEntry): Moment[] {
  const stake = baseValue(bet);
  const [real, bonus] = bet.free ? [0n, stake] : [stake, 0n];
  const placed: Moment = { what: 'bet', at: bet.at, count: 1, real, bonus, locked: 0n, size: stake };
  // A lost bet is settled with zero, which is not a win.
  const won = inForce(bet).filter(({ amount }) => amount > 0);
  return [
    placed,
    ...won.map((payout): Moment => {
      return {
        what: 'win',
        at: payout.at,
        count: 1,
        real: baseValue(payout),
        bonus: 0n,
        locked: 0n,
        size: baseValue(payout),
      };
    }),
  ];
}
