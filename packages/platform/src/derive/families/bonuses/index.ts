import { factFamily, factTable, ofEvents } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import { addEvent, type BonusEvent, classify } from './bonus.ts';
import { type Bonus, type BonusKey, type BonusSaid, bonusFact, bonusSaid, partsOf } from './fact.ts';

export const bonusTotals = totalsOf({
  family: 'bonus',
  by: ['product'],
  counts: ['granted_count', 'turned_real_count', 'forfeited_count', 'expired_count'],
  sums: ['granted_sum', 'turned_real_sum', 'forfeited_sum'],
  biggest: [],
  dated: ['granted'],
  // The only extremes are the dates of grants.
  facts: 'select player_id, at, day, product, at as granted_at from bonus where granted',
});

/** Bonuses of players: see README.md for their rules, bonus.ts for what a bonus is. */
export const bonuses = factFamily({
  family: 'bonuses',
  kinds: ['bonus'],
  table: factTable<Bonus, BonusKey>({
    name: 'bonus',
    key: { player_id: 'bigint', user_bonus_id: 'text' },
    columns: {
      bonus_id: 'text',
      bonus_code: 'text',
      product: 'text',
      type: 'text',
      status: 'text',
      status_at: 'timestamptz',
      status_day: 'date',
      granted: 'boolean',
      at: 'timestamptz',
      day: 'date',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      base_turned_real: 'numeric',
      turned_real_at: 'timestamptz',
      turned_real_day: 'date',
      base_locked_amount: 'numeric',
      base_required_wagering: 'numeric',
      expires_at: 'timestamptz',
      crm_references: 'jsonb',
      origin: 'text',
      conflicts: 'int',
      events: 'jsonb',
    },
  }),
  read: (source) => [bonusSaid(source)],
  decide: ofEvents<Bonus, BonusEvent, BonusSaid>({
    eventsOf: ({ events }) => events,
    classify,
    add: addEvent,
    factOf: bonusFact,
  }),
  counted: [{ totals: bonusTotals, partsOf }],
});

export { type ActiveBonuses, isActive as isActiveBonus, readActiveBonuses } from './active.ts';
export type { BonusEvent, CrmReferences } from './bonus.ts';
export type { Bonus } from './fact.ts';
export { type BonusFilter, type BonusPlace, type ListedBonus, listBonuses } from './list.ts';
export { bonusOfEvent } from './of-event.ts';
