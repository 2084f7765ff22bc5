import { api, bodyOf } from '../../../api/client.ts';
import type { Filters } from '../../../ui/filters.tsx';

/** Key of the queries of all lists for telephone and post. */
export const listsKey = (brand: string) => [brand, 'contact-lists'];

export const entryStates = [
  'waiting',
  'exported',
  'reached',
  'not_reached',
  'opted_out',
  'withheld',
  'dropped',
] as const;

interface ListPath {
  channel: 'telephone' | 'post_mail';
  list: string;
}

/** Reads a page of the entries of a list. */
export const readEntries = (brand: string, path: ListPath, filters: Filters, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/console/v1/brands/{brand}/lists/{channel}/{list}/entries', {
      params: { path: { brand, ...path }, query: { ...filters, ...(cursor && { cursor }) } },
    }),
  );

export type ListEntry = Awaited<ReturnType<typeof readEntries>>['items'][number];
