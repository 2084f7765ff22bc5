import type { BalanceKey, Trait } from './trait.ts';

function balance(key: BalanceKey, money: string): Trait {
  return {
    name: `balance_${key}`,
    kind: 'amount',
    unit: 'base_currency',
    windows: 'lifetime',
    meaning: `${money} in the player's wallet, as the operator told it last.`,
    formula: `amount x exchange_rate of the latest balances event with the key ${key}; holds for that event's time`,
    source: { from: 'balance', key },
  };
}

export const balanceTraits: readonly Trait[] = [
  balance('real_money', 'Real money'),
  balance('bonus_money', 'Bonus money'),
];
