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
import { notFound } from '../routing/not-found.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { amountIn, valuesIn } from './read-budget.ts';
import { presentBudget } from './routes.ts';
import { Budget, BudgetParams, strict, tag } from './schemas.ts';

/** Read with `readDecimal`: a number or decimal text, never negative. */
const AmountIn = Type.Union([Type.Number(), Type.String()], { description: "In the brand's base currency" });

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

const AlarmPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Percentage of a campaign budget at which an alarm is raised. Default 90',
});

const BonusValuesIn = Type.Record(Type.String({ minLength: 1, maxLength: 200 }), AmountIn, {
  maxProperties: 1_000,
  description: 'Cost of a bonus without an amount, by bonus_code. A code without an entry counts only in number',
});

export const createBudgetEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/budgets',
  tag,
  summary: 'Create a budget for a campaign or for each player',
  description: 'It applies from now on. Earlier credits do not count.',
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
  summary: 'Change a budget. Omitted fields keep their values, and null removes a limit',
  description: 'If the new limit is below the used amount, earlier credits stay and further bonuses are refused.',
  may: 'budget.manage',
  conflict: 'The budget is closed. Create a new one',
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
  summary: 'Close a budget. It no longer limits anything, and its spending stays readable',
  may: 'budget.manage',
  conflict: 'The budget is already closed',
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
      throw refusedField('activity_id', 'budget', {
        en: 'a campaign budget requires the activity_id of its intents',
        de: 'Das Budget einer Kampagne erfordert die activity_id ihrer Boni',
      });
    if (scope === 'campaign' && window_days !== null)
      throw refusedField('window_days', 'budget', {
        en: 'only limits per player can have a window; a campaign has one shared limit',
        de: 'Nur Grenzen je Spieler können einen Zeitraum haben; eine Kampagne hat eine gemeinsame Grenze',
      });
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
  if (budget === undefined) throw notFound('budget', budget_id);
  return budget;
}

function changedFields(before: ListedBudget, change: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(change, name)));
}

function subjectOf(budgetId: number): string {
  return `budget ${budgetId}`;
}

function isClosed(budgetId: number): Refused {
  return new Refused('conflict', {
    en: `budget ${budgetId} is closed; create a new one`,
    de: `Budget ${budgetId} ist geschlossen; legen Sie ein neues an`,
  });
}

function noLimit(): Refused {
  return refusedField('limit_amount', 'budget', {
    en: 'a budget must limit an amount, a number of bonuses, or both',
    de: 'Ein Budget muss einen Betrag, eine Zahl von Boni oder beides begrenzen',
  });
}
