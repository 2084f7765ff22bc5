import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';

/**
 * Time between two reads, in milliseconds. Results are sums over all runs, so they are read less often than the counts
 * on the canvas.
 */
const refreshMs = 10_000;

const readResults = (brand: string, code: string, window_days: number) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results', {
      params: { path: { brand, code }, query: { window_days } },
    }),
  );

export type ResultsShown = Awaited<ReturnType<typeof readResults>>;
export type SplitShown = ResultsShown['splits'][number];
export type ArmShown = SplitShown['arms'][number];

/** @param windowDays how long the players of each arm are measured, in days */
export const resultsQuery = (brand: string, code: string, windowDays: number) =>
  queryOptions({
    queryKey: [brand, 'campaign', code, 'results', windowDays],
    queryFn: () => readResults(brand, code, windowDays),
    refetchInterval: every(refreshMs),
    placeholderData: keepPreviousData,
  });

export const resultDaysQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'campaign', code, 'results', 'days'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/results/days', { params: { path: { brand, code } } }),
      ),
    refetchInterval: every(refreshMs),
  });
