import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  isNear,
  type ListedBudget,
  leftOf,
  listBudgets,
  listWaitingFunds,
  playersNearLimit,
  playerUses,
  type WaitingFunds,
} from '../../actions/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import {
  BrandParams,
  MicrosShape,
  Moment,
  Money,
  momentText,
  momentTextOrNull,
  Nullable,
  PlayerParams,
} from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';
import { plainAmount, totalUse } from './read-budget.ts';
import { Budget, BudgetParams, Left, limits, strict, tag, Used } from './schemas.ts';

export const listBudgetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/budgets',
  tag,
  summary: 'Budgets with their reserved, spent and remaining amounts, newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    { activity_id: Type.Optional(Type.String()), closed: Type.Optional(Type.Boolean()), ...pageQuery },
    strict,
  ),
  status: 200,
  answer: PageOf(Budget),
});

export const playerBudgetsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/budgets',
  tag,
  summary: 'The limits of a player, with the used and remaining amounts',
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

export const budgetPlayersEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/budgets/:budget_id/players',
  tag,
  summary: 'The players who are at or near their limit in a budget per player',
  description:
    'It contains the players who have used `alarm_percent` of their limit or more, in the window of the budget. A page reads a ' +
    'bounded number of players, so it may contain fewer items than `limit`, or none. Continue until `next` is null. The list of a ' +
    'campaign budget is empty.',
  may: 'player.read',
  params: BudgetParams,
  query: Type.Object(pageQuery, strict),
  status: 200,
  answer: PageOf(
    Type.Object({
      user_id: Type.String(),
      at_limit: Type.Boolean({ description: 'True if nothing is left of the amount or of the number of bonuses' }),
      used: Used,
      left: Left,
    }),
  ),
});

export const waitingFundsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/waiting-funds',
  tag,
  summary: 'Credited funds that are not part of bonus cost and NGR yet, longest waiting first',
  description: 'Usually empty. A row without a rate waits until an event contains a rate for its currency.',
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

const budgetCursor = new CursorCodec('budgets', Type.Integer({ minimum: 1 }));
const nearCursor = new CursorCodec('budget-players', Type.Integer({ minimum: 1 }));
const fundsCursor = new CursorCodec(
  'waiting-funds',
  Type.Object({ noted_at: MicrosShape, intent_id: Type.String({ format: 'uuid' }), revision: Type.Integer() }),
);

export function budgetRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listBudgetsEndpoint, async ({ brand, query }) => {
    const { limit, cursor, ...filter } = query;
    const before = budgetCursor.decode(cursor);
    const rows = await listBudgets(pool, brand.brand_id, filter, limit + 1, before);
    const { items, next } = pageFrom(rows, limit, (last) => budgetCursor.encode(last.budget_id));
    return { items: items.map(presentBudget), next };
  });

  serve(app, budgetPlayersEndpoint, async ({ brand, params: { budget_id }, query: { limit, cursor } }) => {
    const [budget] = await listBudgets(pool, brand.brand_id, { budget_id }, 1);
    if (budget === undefined) throw notFound('budget', budget_id);
    const after = nearCursor.decode(cursor) ?? 0;
    const { players, next } = await playersNearLimit(pool, budget, { after, limit, at: clock() });
    return {
      items: players.map(({ user_id, amount, count }) => {
        const used = { amount: plainAmount(amount), count };
        const left = leftOf(budget, used);
        return { user_id, at_limit: left.amount === '0' || left.count === 0, used, left };
      }),
      next: next === null ? null : nearCursor.encode(next),
    };
  });

  serve(app, playerBudgetsEndpoint, async ({ brand, params }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const uses = await playerUses(pool, { brand_id: brand.brand_id, player_id }, clock());
    return {
      items: uses.map((budget) => {
        const { budget_id, name, activity_id, window_days, limit_amount, limit_count, amount, count } = budget;
        const used = { amount: plainAmount(amount), count };
        return {
          budget_id,
          name,
          activity_id,
          window_days,
          limit_amount,
          limit_count,
          used,
          left: leftOf(budget, used),
        };
      }),
    };
  });

  serve(app, waitingFundsEndpoint, async ({ brand, query: { limit, cursor } }) => {
    const after = fundsCursor.decode(cursor);
    const rows = await listWaitingFunds(pool, brand.brand_id, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ noted_at, intent_id, revision }) =>
      fundsCursor.encode({ noted_at, intent_id, revision }),
    );
    return { items: items.map(presentFunds), next };
  });
}

export function presentBudget(budget: ListedBudget) {
  const { brand_id: _, created_at, closed_at, holders, bonus_values, ...rest } = budget;
  const { reserved_amount, reserved_count, spent_amount, spent_count, ...named } = rest;
  const used = totalUse(budget);
  const isPot = budget.scope === 'campaign';
  return {
    ...named,
    bonus_values: { ...bonus_values },
    created_at: momentText(created_at),
    closed_at: momentTextOrNull(closed_at),
    reserved: { amount: plainAmount(reserved_amount), count: reserved_count },
    spent: { amount: plainAmount(spent_amount), count: spent_count },
    left: isPot ? leftOf(budget, used) : null,
    near_limit: isPot && closed_at === null && isNear(budget, used),
    players: isPot ? null : holders,
  };
}

function presentFunds({ intent_id, user_id, status, amount, currency, bonus_code, ...funds }: WaitingFunds) {
  const reason = funds.exchange_rate === null ? ('no_rate' as const) : ('about_to_be_told' as const);
  return {
    intent_id,
    user_id,
    status,
    reason,
    amount,
    currency,
    bonus_code,
    credited_at: momentText(funds.at),
    since: momentText(funds.noted_at),
  };
}
