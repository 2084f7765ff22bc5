import { Type } from 'typebox';
import { budgetScopes } from '../../actions/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, Nullable, PlayerParams } from '../routing/fields.ts';

const strict = { additionalProperties: false };
const tag = 'Budgets';

/** Read with `readDecimal`: a number or decimal text, never negative. */
const AmountIn = Type.Union([Type.Number(), Type.String()], { description: 'In the base currency of the brand' });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const AlarmPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Share of a campaign budget from which on it is an alarm. Default 90',
});
const BonusValuesIn = Type.Record(Type.String({ minLength: 1, maxLength: 200 }), AmountIn, {
  maxProperties: 1_000,
  description: 'What a bonus without an amount costs, by bonus_code. A code that is not here only counts',
});

const limits = {
  limit_amount: Nullable(Money),
  limit_count: Nullable(Type.Integer()),
};
const Used = Type.Object({ amount: Money, count: Type.Integer() });
const Left = Type.Object({ amount: Nullable(Money), count: Nullable(Type.Integer()) });

const Budget = Type.Object({
  budget_id: Type.Integer(),
  name: Type.String(),
  scope: Type.Enum([...budgetScopes], {
    description: 'campaign: one pot for all intents with its activity_id. player: a limit for each player',
  }),
  activity_id: Nullable(Type.String()),
  window_days: Nullable(Type.Integer({ description: 'Of a limit per player: the last so many times 24 hours' })),
  ...limits,
  bonus_values: Type.Record(Type.String(), Money),
  alarm_percent: Type.Integer(),
  created_at: Moment,
  created_by: Type.String(),
  closed_at: Nullable(Moment),
  reserved: Type.Object(Used.properties, {
    description: 'Of intents whose outcome is open. Of limits per player: over all players, for life',
  }),
  spent: Used,
  left: Nullable(Type.Object(Left.properties, { description: 'Null of limits per player: each has its own' })),
  near_limit: Type.Boolean({ description: 'A campaign that has used its alarm_percent' }),
  players: Nullable(Type.Integer({ description: 'Of limits per player: how many have used some' })),
});

const BudgetParams = Type.Object({ ...BrandParams.properties, budget_id: Type.Integer({ minimum: 1 }) });

export const listBudgetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/budgets',
  tag,
  summary: 'What bonuses may cost, with what is reserved, spent and left; the newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    { activity_id: Type.Optional(Type.String()), closed: Type.Optional(Type.Boolean()), ...pageQuery },
    strict,
  ),
  status: 200,
  answer: PageOf(Budget),
});

export const createBudgetEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/budgets',
  tag,
  summary: 'Limit what a campaign, or each player, may cost',
  description: 'Counts from now on: intents that were credited before take nothing of it.',
  may: 'budget.manage',
  params: BrandParams,
  body: Type.Object(
    {
      name: Name,
      scope: Type.Enum([...budgetScopes]),
      activity_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      window_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
      limit_amount: Type.Optional(AmountIn),
      limit_count: Type.Optional(Count),
      bonus_values: Type.Optional(BonusValuesIn),
      alarm_percent: Type.Optional(AlarmPercent),
    },
    strict,
  ),
  status: 201,
  answer: Budget,
});

export const changeBudgetEndpoint = endpoint({
  method: 'PUT',
  path: '/brands/:brand/budgets/:budget_id',
  tag,
  summary: 'Change a budget; what is left out stays, null takes a limit away',
  description: 'A limit below what is used takes nothing back; it lets nothing more pass.',
  may: 'budget.manage',
  conflict: 'The budget is closed: make a new one',
  params: BudgetParams,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      limit_amount: Type.Optional(Nullable(AmountIn)),
      limit_count: Type.Optional(Nullable(Count)),
      bonus_values: Type.Optional(BonusValuesIn),
      alarm_percent: Type.Optional(AlarmPercent),
    },
    strict,
  ),
  status: 200,
  answer: Budget,
});

export const closeBudgetEndpoint = endpoint({
  method: 'DELETE',
  path: '/brands/:brand/budgets/:budget_id',
  tag,
  summary: 'Close a budget: it limits nothing any more, and stays for what was spent',
  may: 'budget.manage',
  conflict: 'The budget is closed already',
  params: BudgetParams,
  status: 204,
  answer: Type.Null(),
});

export const playerBudgetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/budgets',
  tag,
  summary: 'The limits of a player, with what is used and left now',
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        budget_id: Type.Integer(),
        name: Type.String(),
        activity_id: Nullable(Type.String()),
        window_days: Nullable(Type.Integer()),
        ...limits,
        used: Used,
        left: Left,
      }),
    ),
  }),
});

export const waitingFundsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/waiting-funds',
  tag,
  summary: 'Credited funds that are not part of bonus cost and NGR yet, the longest waiting first',
  description: 'Usually empty. A row without a rate waits until an event tells what its currency is worth.',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(pageQuery, strict),
  status: 200,
  answer: PageOf(
    Type.Object({
      intent_id: Type.String(),
      user_id: Nullable(Type.String()),
      status: Type.Enum(['Approved', 'Rollback']),
      reason: Type.Enum(['no_rate', 'about_to_be_told']),
      amount: Money,
      currency: Type.String(),
      bonus_code: Type.String(),
      credited_at: Moment,
      since: Moment,
    }),
  ),
});
