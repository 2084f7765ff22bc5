import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';
import type { Measures } from '../totals/index.ts';

/** What a trait is measured in. `timestamp` values are Micros; `base_currency` values are amounts in the brand's base currency. */
export type Unit = 'count' | 'base_currency' | 'timestamp';

/** Counts and timestamps are numbers, amounts are exact decimal text; null where there is nothing to say ("never"). */
export type TraitValue = number | DecimalText | null;

interface TraitWords {
  readonly name: string;
  readonly unit: Unit;
  /** One line, for people. */
  readonly meaning: string;
  /** How it is computed, in terms of events and fields. */
  readonly formula: string;
}

/** A trait over the totals of one family. With `windows` it also exists as <name>_24h, <name>_7d and so on. */
export interface TotalsTrait extends TraitWords {
  readonly from: 'payment' | 'login';
  readonly windows: boolean;
  value(measures: Measures): TraitValue;
}

/** What is known of a player beside totals. */
export interface PlayerFacts {
  registered_at: Micros | null;
  first_event_at: Micros | null;
  last_event_at: Micros | null;
  reports: ReadonlyMap<string, { value: number; at: Micros }>;
}

/** A trait that is one fact of the player. It has no windows. */
export interface FactTrait extends TraitWords {
  readonly from: 'facts';
  readonly windows: false;
  value(facts: PlayerFacts): { value: TraitValue; as_of?: Micros };
}

export type Trait = TotalsTrait | FactTrait;

/** Averages cannot be exact: they have 10 fraction digits, rounded half up, far below any currency's smallest unit. */
const Rounded = Big();
Rounded.DP = 10;
Rounded.RM = Big.roundHalfUp;

/** Averages and ratios are computed from sums, never from other averages; null when there is nothing to divide by. */
export function ratio(sum: DecimalText, count: number): DecimalText | null {
  return count === 0 ? null : new Rounded(sum).div(count).toFixed();
}
