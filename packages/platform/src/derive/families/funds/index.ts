import { factFamily, factTable, ofEventInForce } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import { classify, type Funds, fundsOf, partsOf, takesPrecedence } from './funds.ts';

export const fundsTotals = totalsOf({
  family: 'funds',
  counts: ['funds_credited_count'],
  sums: ['funds_credited_sum'],
  biggest: [],
  dated: ['funds_credited'],
  facts: 'select player_id, at, day, at as funds_credited_at from funds where counted',
});

/** Funds that the platform credited: see README.md. */
export const funds = factFamily({
  family: 'funds',
  kinds: ['funds_credited'],
  table: factTable<Funds, 'player_id' | 'intent_id'>({
    name: 'funds',
    key: { player_id: 'bigint', intent_id: 'text' },
    columns: {
      revision: 'int',
      fingerprint: 'hash',
      counted: 'boolean',
      at: 'timestamptz',
      day: 'date',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      bonus_code: 'text',
    },
  }),
  read: (source) => [fundsOf(source)],
  decide: ofEventInForce<Funds>({ takesPrecedence, classify }),
  counted: [{ totals: fundsTotals, partsOf }],
});
