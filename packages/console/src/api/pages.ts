import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { pagesName } from './live.ts';

export interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** A list of the console API. */
export interface Listed<Item> {
  /** Identifies the list. Pages of the console that use the same name share its data. */
  name: readonly unknown[];
  read(cursor: string | undefined): Promise<Page<Item>>;
}

/** When a list is opened again, it is read again if it is older than this, in milliseconds. */
const oldAfterMs = 30_000;

/** The key of the first page of a list. After a change, only this page is read again. */
export const headKey = (name: readonly unknown[]): QueryKey => [...name, 'head'];

/** The pages of a list that were read, from the first one on. */
export const pagesQuery = <Item>({ name, read }: Listed<Item>) =>
  infiniteQueryOptions({
    queryKey: [...name, pagesName],
    queryFn: async ({ pageParam, client }) => {
      const page = await read(pageParam);
      if (pageParam === undefined) client.setQueryData(headKey(name), page);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: oldAfterMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
