import type { BalanceKey, Trait } from './trait.ts';

function balance(key: BalanceKey, money: string): Trait {
  return {
    name: `balance_${key}`,
    kind: 'amount',
    unit: 'base_currency',
    windows: 'lifetime',
    meaning: `${money} in the player's wallet, as last reported by the operator.`,
    formula: `amount x exchange_rate of the latest balances event with the key ${key}; valid at the time of that event`,
    source: { from: 'balance', key },
  };
}

export const balanceTraits: readonly Trait[] = [
  balance('real_money', 'Real money'),
  balance('bonus_money', 'Bonus money'),
];
