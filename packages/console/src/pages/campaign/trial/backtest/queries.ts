import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../../api/client.ts';
import { every } from '../../../../api/live.ts';

/** Milliseconds between two reads of a backtest that runs, and of one that has ended, while no stream reports changes. */
const workingMs = 1_000;
const endedMs = 30_000;

export const isWorking = (state: string) => state === 'queued' || state === 'running';

/** Key of the backtests of a campaign. The keys of single backtests are below it. */
export const backtestsKey = (brand: string, code: string) => [brand, 'campaign', code, 'backtests'];

export const backtestsQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: backtestsKey(brand, code),
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests', { params: { path: { brand, code } } }),
      ),
    refetchInterval: (query) =>
      query.state.data?.items.some(({ state }) => isWorking(state)) ? every(workingMs)(query) : false,
  });

const readBacktest = (brand: string, code: string, backtest_id: number) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/backtests/{backtest_id}', {
      params: { path: { brand, code, backtest_id } },
    }),
  );

export type BacktestShown = Awaited<ReturnType<typeof readBacktest>>;

export const backtestQuery = (brand: string, code: string, id: number) =>
  queryOptions({
    queryKey: [...backtestsKey(brand, code), id],
    queryFn: () => readBacktest(brand, code, id),
    refetchInterval: (query) => {
      const state = query.state.data?.state;
      return every(state === undefined || isWorking(state) ? workingMs : endedMs)(query);
    },
  });
