import type { DecimalText, Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Verdict } from '../../verdict.ts';

/** A balance of a player as the operator last reported it: the row of live.balance. */
export interface Balance {
  player_id: number;
  /** real_money, bonus_money, or another one that the operator sends. */
  key: string;
  at: Micros;
  fingerprint: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  origin: string;
}

export interface Arrival {
  source: DerivedEvent<'balances'>;
  /** One per key. */
  balances: Balance[];
}

/** The balances of a message; where it names a key twice, the last one stands. */
export function arrivalOf(source: DerivedEvent<'balances'>): Arrival {
  const { player_id, event } = source;
  const { timestamp: at, origin } = event;
  const fingerprint = fingerprintOf(source);
  const byKey = new Map<string, Balance>();
  for (const { key, amount, currency, exchange_rate } of event.balances) {
    const base_amount = inBase(amount, exchange_rate);
    byKey.set(key, { player_id, key, at, fingerprint, amount, currency, exchange_rate, base_amount, origin });
  }
  return { source, balances: [...byKey.values()] };
}

export function nameOf({ player_id, key }: Pick<Balance, 'player_id' | 'key'>): string {
  return `${player_id}:${key}`;
}

/**
 * Applies a batch to the balances held, by `nameOf`. Pure. The latest timestamp stands, ties by the smallest fingerprint
 * (decisions.md 2.4): an older message changes nothing, whenever it comes.
 */
export function decide(
  held: ReadonlyMap<string, Balance>,
  arrivals: readonly Arrival[],
): { changed: Balance[]; verdicts: Map<DerivedEvent, Verdict> } {
  const changed = new Map<string, Balance>();
  const verdicts = new Map<DerivedEvent, Verdict>();
  for (const { source, balances } of arrivals) {
    const met = balances.map((balance) => {
      const before = changed.get(nameOf(balance)) ?? held.get(nameOf(balance));
      if (before === undefined || stands(balance, before)) changed.set(nameOf(balance), balance);
      return meet(balance, before);
    });
    if (met.includes('conflict')) verdicts.set(source, 'conflict');
    else if (met.length > 0 && met.every((verdict) => verdict === 'repeat')) verdicts.set(source, 'repeat');
  }
  return { changed: [...changed.values()], verdicts };
}

function stands(a: Balance, b: Balance): boolean {
  return a.at > b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}

/** Only the balance held can be met: of an older one nothing is kept, so its retry counts as applied, too. */
function meet(balance: Balance, before: Balance | undefined): Verdict {
  if (before === undefined || balance.at !== before.at) return 'applied';
  const same = (['amount', 'currency', 'exchange_rate'] as const).every((field) => balance[field] === before[field]);
  return same ? 'repeat' : 'conflict';
}
