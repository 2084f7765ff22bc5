import type { DecimalText, Micros } from '@croupier/contracts';
import { type BaseUnits, baseText, type Hundredths, type Millionths, toBase } from '../money.ts';

/**
 * The casino's book of one player's bonuses. A bonus is granted once, then moves from status to status, and has the amounts
 * of its last step. In totals, a reversed bonus counts as never granted.
 */
export interface BonusTruth {
  user_bonus_id: string;
  product: string;
  status: string;
  granted: boolean;
  granted_at: Micros;
  /** In base currency. */
  amount: DecimalText;
  turned_real: DecimalText;
}

export interface BonusTotals {
  granted_count: number;
  turned_real_count: number;
  forfeited_count: number;
  expired_count: number;
  granted_sum: DecimalText;
  turned_real_sum: DecimalText;
  forfeited_sum: DecimalText;
  granted_first_at: Micros | null;
  granted_last_at: Micros | null;
}

/** One published step of a bonus. */
export interface BonusStep {
  status: string;
  at: Micros;
  amount: Hundredths;
  turnedReal: Hundredths;
  rate: Millionths;
}

interface Entry {
  user_bonus_id: string;
  product: string;
  grantedAt: Micros;
  last: BonusStep;
}

export type BonusBook = ReturnType<typeof createBonusBook>;

export function createBonusBook() {
  const entries = new Map<string, Entry>();
  return {
    /** Steps of one bonus are added in the order of time. */
    step(userBonusId: string, product: string, step: BonusStep): void {
      const entry = entries.get(userBonusId);
      if (entry === undefined) {
        entries.set(userBonusId, { user_bonus_id: userBonusId, product, grantedAt: step.at, last: step });
        return;
      }
      entry.last = step;
    },
    bonuses: (): BonusTruth[] => [...entries.values()].map(bonusTruth),
    totals: (): BonusTotals => totals([...entries.values()]),
  };
}

function bonusTruth(entry: Entry): BonusTruth {
  const { user_bonus_id, product, grantedAt, last } = entry;
  return {
    user_bonus_id,
    product,
    status: last.status,
    granted: isGranted(entry),
    granted_at: grantedAt,
    amount: baseText(baseValue(entry)),
    turned_real: baseText(turnedReal(entry)),
  };
}

function isGranted({ last }: Entry): boolean {
  return last.status !== 'Reversed';
}

function baseValue({ last }: Entry): BaseUnits {
  return toBase(last.amount, last.rate);
}

/** Returns the amount that has turned real. Each step states the total so far, so the last step is sufficient. */
function turnedReal({ last }: Entry): BaseUnits {
  return toBase(last.turnedReal, last.rate);
}

function totals(entries: readonly Entry[]): BonusTotals {
  const granted = entries.filter(isGranted);
  const forfeited = granted.filter(({ last }) => last.status === 'Forfeited');
  const times = granted.map(({ grantedAt }) => grantedAt);
  const sum = (of: readonly Entry[], what: (entry: Entry) => BaseUnits) =>
    baseText(of.reduce((total, entry) => total + what(entry), 0n));
  return {
    granted_count: granted.length,
    turned_real_count: granted.filter(({ last }) => last.turnedReal > 0).length,
    forfeited_count: forfeited.length,
    expired_count: granted.filter(({ last }) => last.status === 'Expired').length,
    granted_sum: sum(granted, baseValue),
    turned_real_sum: sum(granted, turnedReal),
    forfeited_sum: sum(forfeited, baseValue),
    granted_first_at: times.length === 0 ? null : Math.min(...times),
    granted_last_at: times.length === 0 ? null : Math.max(...times),
  };
}
