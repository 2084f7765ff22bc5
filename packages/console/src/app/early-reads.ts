import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { type Listed, pagesQuery } from '../api/pages.ts';
import { queryClient } from './query-client.ts';

/**
 * Starts a read that a page needs first while the file of the page is still loading, so that both happen at the same time. If the data
 * was read before, the page decides whether to read it again. If the read fails, the page repeats it and shows the error.
 */
export function readEarly<Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>): void {
  if (queryClient.getQueryState(query.queryKey) === undefined) void queryClient.prefetchQuery(query);
}

/** Starts the read of the first page of a list, in the same way. */
export function readListEarly<Item>(list: Listed<Item>): void {
  const pages = pagesQuery(list);
  if (queryClient.getQueryState(pages.queryKey) === undefined) void queryClient.prefetchInfiniteQuery(pages);
}
