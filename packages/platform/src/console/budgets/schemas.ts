import { Type } from 'typebox';
import { budgetScopes } from '../../actions/index.ts';
import { BrandParams, Moment, Money, Nullable } from '../routing/fields.ts';

export const strict = { additionalProperties: false };

export const tag = 'Budgets';

export const BudgetParams = Type.Object({ ...BrandParams.properties, budget_id: Type.Integer({ minimum: 1 }) });

export const limits = {
  limit_amount: Nullable(Money),
  limit_count: Nullable(Type.Integer()),
};

export const Used = Type.Object({ amount: Money, count: Type.Integer() });

export const Left = Type.Object({ amount: Nullable(Money), count: Nullable(Type.Integer()) });

export const Budget = Type.Object({
  budget_id: Type.Integer(),
  name: Type.String(),
  scope: Type.Enum([...budgetScopes], {
    description: 'campaign: one shared limit for all intents with its activity_id. player: a limit for each player',
  }),
  activity_id: Nullable(Type.String()),
  window_days: Nullable(Type.Integer({ description: 'For a limit per player: the number of past 24-hour periods' })),
  ...limits,
  bonus_values: Type.Record(Type.String(), Money),
  alarm_percent: Type.Integer(),
  created_at: Moment,
  created_by: Type.String(),
  closed_at: Nullable(Moment),
  reserved: Type.Object(Used.properties, {
    description: 'Amount of intents with an open outcome. For limits per player: over all players and their lifetime',
  }),
  spent: Used,
  left: Nullable(
    Type.Object(Left.properties, { description: 'Null for limits per player, because each player has its own' }),
  ),
  near_limit: Type.Boolean({ description: 'For a campaign budget: `alarm_percent` or more of it is used' }),
  players: Nullable(Type.Integer({ description: 'For limits per player: players who have used part of their limit' })),
});
