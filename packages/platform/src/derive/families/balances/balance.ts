import type { DecimalText, Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Verdict } from '../../verdict.ts';

/** A balance of a player as the operator last reported it: the row of live.balance. */
export interface Balance {
  player_id: number;
  /** real_money, bonus_money, or any other key that the operator sends. */
  key: string;
  at: Micros;
  fingerprint: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  origin: string;
}

/** The balances of a message. If it contains a key twice, the last entry counts. */
export function balancesOf(source: DerivedEvent<'balances'>): Balance[] {
  const { player_id, event } = source;
  const { timestamp: at, origin } = event;
  const fingerprint = fingerprintOf(source);
  const byKey = new Map<string, Balance>();
  for (const { key, amount, currency, exchange_rate } of event.balances) {
    const base_amount = inBase(amount, exchange_rate);
    byKey.set(key, { player_id, key, at, fingerprint, amount, currency, exchange_rate, base_amount, origin });
  }
  return [...byKey.values()];
}

/**
 * The latest timestamp takes precedence, and in a tie the smallest fingerprint (docs/reference/decisions.md 2.4). An
 * older message changes nothing.
 */
export function takesPrecedence(a: Balance, b: Balance): boolean {
  return a.at > b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}

/**
 * Compares a message with the stored balance. Older balances are not stored, so a retry of an older message counts as
 * applied, too.
 */
export function classify(balance: Balance, before: Balance): Verdict {
  if (balance.at !== before.at) return 'applied';
  const same = (['amount', 'currency', 'exchange_rate'] as const).every((field) => balance[field] === before[field]);
  return same ? 'repeat' : 'conflict';
}
