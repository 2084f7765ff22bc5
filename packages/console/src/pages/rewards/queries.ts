import { api, bodyOf } from '../../api/client.ts';

/** Reads a page of the brand's budgets, newest first. Without `withClosed`, it contains only budgets in force. */
export const readBudgets = (brand: string, withClosed: boolean, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/budgets', {
      params: {
        path: { brand },
        query: { ...(!withClosed && { closed: false }), ...(cursor !== undefined && { cursor }) },
      },
    }),
  );

export type BudgetShown = Awaited<ReturnType<typeof readBudgets>>['items'][number];

/** Reads a bonus with its calls, changes, decisions and reservations. */
export const readIntent = (brand: string, intent_id: string) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}', { params: { path: { brand, intent_id } } }),
  );

export type IntentShown = Awaited<ReturnType<typeof readIntent>>;

export const bonusListQuery = (brand: string) => ({
  queryKey: [brand, 'bonus-list'],
  queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/bonus-list', { params: { path: { brand } } })),
});

/** Reads the open budgets of one campaign. */
export const campaignBudgetsQuery = (brand: string, activity_id: string) => ({
  queryKey: [brand, 'budgets', 'of-campaign', activity_id],
  queryFn: () =>
    bodyOf(
      api.GET('/api/console/v1/brands/{brand}/budgets', {
        params: { path: { brand }, query: { activity_id, closed: false } },
      }),
    ),
});

/** Reads a page of the players who are at or near their limit in a budget per player. */
export const readBudgetPlayers = (brand: string, budget_id: number, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/budgets/{budget_id}/players', {
      params: { path: { brand, budget_id }, query: cursor === undefined ? {} : { cursor } },
    }),
  );
