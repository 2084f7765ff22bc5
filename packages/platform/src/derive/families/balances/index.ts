import { factFamily, factTable, ofEventInForce } from '../../facts/index.ts';
import { type Balance, balancesOf, classify, takesPrecedence } from './balance.ts';

/** The last balance of each key: see README.md. */
export const balances = factFamily({
  family: 'balances',
  kinds: ['balances'],
  table: factTable<Balance, 'player_id' | 'key'>({
    name: 'balance',
    key: { player_id: 'bigint', key: 'text' },
    columns: {
      at: 'timestamptz',
      fingerprint: 'hash',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      origin: 'text',
    },
  }),
  read: balancesOf,
  decide: ofEventInForce<Balance>({ takesPrecedence, classify }),
});

export { type ListedBalance, listBalances } from './list.ts';
export { balanceOfEvent } from './of-event.ts';
