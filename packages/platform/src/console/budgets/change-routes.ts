import type { FastifyInstance } from 'fastify';
import type { ClientBase } from 'pg';
import { Type } from 'typebox';
import {
  budgetScopes,
  closeBudget,
  insertBudget,
  type ListedBudget,
  listBudgets,
  updateBudget,
} from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { amountIn, valuesIn } from './read-budget.ts';
import { presentBudget } from './routes.ts';
import { Budget, strict, tag } from './schemas.ts';

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

const BudgetParams = Type.Object({ ...BrandParams.properties, budget_id: Type.Integer({ minimum: 1 }) });

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

const usualAlarmPercent = 90;

/** Creates, changes and closes budgets, each with its audit row in the same transaction. */
export function budgetChangeRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, createBudgetEndpoint, async ({ access, brand, body }) => {
    const { name, scope, activity_id = null, window_days = null, limit_count = null } = body;
    if (scope === 'campaign' && activity_id === null)
      throw refusedField('activity_id', 'a campaign budget needs the activity_id that its intents carry');
    if (scope === 'campaign' && window_days !== null)
      throw refusedField('window_days', 'only limits per player have a window; a campaign has one pot');
    const budget = {
      brand_id: brand.brand_id,
      name,
      scope,
      activity_id,
      window_days,
      limit_count,
      limit_amount: body.limit_amount === undefined ? null : amountIn('limit_amount', body.limit_amount),
      bonus_values: valuesIn(body.bonus_values ?? {}),
      alarm_percent: body.alarm_percent ?? usualAlarmPercent,
    };
    if (budget.limit_amount === null && limit_count === null) throw noLimit();
    return transaction(pool, async (tx) => {
      const budget_id = await insertBudget(tx, budget, { at: clock(), by: access.actor });
      const { brand_id: _, ...details } = budget;
      await record(deps, access, { action: 'budget.created', brand, subject: subjectOf(budget_id), details }, tx);
      return presentBudget(await budgetOf(tx, brand, budget_id));
    });
  });

  serve(app, changeBudgetEndpoint, async ({ access, brand, params, body }) => {
    const { budget_id } = params;
    const { limit_amount, bonus_values, ...rest } = body;
    const change = {
      ...rest,
      ...(limit_amount !== undefined && {
        limit_amount: limit_amount === null ? null : amountIn('limit_amount', limit_amount),
      }),
      ...(bonus_values !== undefined && { bonus_values: valuesIn(bonus_values) }),
    };
    return transaction(pool, async (tx) => {
      const before = await budgetOf(tx, brand, budget_id);
      const after = { ...before, ...change };
      if (after.limit_amount === null && after.limit_count === null) throw noLimit();
      if (!(await updateBudget(tx, brand.brand_id, budget_id, change))) throw isClosed(budget_id);
      const details = { before: changedFields(before, change), after: change };
      await record(deps, access, { action: 'budget.changed', brand, subject: subjectOf(budget_id), details }, tx);
      return presentBudget(await budgetOf(tx, brand, budget_id));
    });
  });

  serve(app, closeBudgetEndpoint, async ({ access, brand, params: { budget_id } }) => {
    await transaction(pool, async (tx) => {
      await budgetOf(tx, brand, budget_id);
      // Closing a closed budget has no effect.
      if (!(await closeBudget(tx, brand.brand_id, budget_id, clock()))) return;
      await record(deps, access, { action: 'budget.closed', brand, subject: subjectOf(budget_id) }, tx);
    });
    return null;
  });
}

async function budgetOf(tx: ClientBase, brand: Brand, budget_id: number): Promise<ListedBudget> {
  const [budget] = await listBudgets(tx, brand.brand_id, { budget_id }, 1);
  if (budget === undefined) throw new Refused('not_found', `the brand has no budget ${budget_id}`);
  return budget;
}

function changedFields(before: ListedBudget, change: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(change, name)));
}

function subjectOf(budgetId: number): string {
  return `budget ${budgetId}`;
}

function isClosed(budgetId: number): Refused {
  return new Refused('conflict', `budget ${budgetId} is closed: make a new one`);
}

function noLimit(): Refused {
  return refusedField('limit_amount', 'a budget limits an amount, a number of bonuses, or both');
}

function refusedField(path: string, message: string): Refused {
  return new Refused('invalid_request', message, { errors: [{ path, rule: 'budget', message }] });
}
