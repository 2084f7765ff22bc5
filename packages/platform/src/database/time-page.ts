import type { Micros } from '@croupier/contracts';
import { timestamptzText } from './types.ts';

/** Selects one page of a list that is ordered by time, newest first. Both bounds are inclusive. */
export interface TimePage {
  from?: Micros | undefined;
  to?: Micros | undefined;
  /** The last item of the previous page. The key decides the order of items with the same time. */
  before?: { at: Micros; key: number | string } | undefined;
  limit: number;
}

/**
 * The end of a statement that reads such a page: more conditions for its `where` clause, its order and its limit.
 * @param columns expressions for the time and for a key that is unique in the list, and the type of the key
 * @param first the number of the first parameter used here. The parameters are those of `timePageValues`
 */
export function timePageSql({ at, key, type }: { at: string; key: string; type: string }, first: number): string {
  const [limit, from, to, lastAt, lastKey] = Array.from({ length: 5 }, (_, place) => `$${first + place}`);
  return `and ${at} >= coalesce(${from}::timestamptz, '-infinity') and ${at} <= coalesce(${to}::timestamptz, 'infinity')
        and (${lastAt}::timestamptz is null or (${at}, ${key}) < (${lastAt}, ${lastKey}::${type}))
      order by ${at} desc, ${key} desc limit ${limit}`;
}

/** The values of the parameters of `timePageSql`. */
export function timePageValues({ from, to, before, limit }: TimePage): unknown[] {
  // The bound `to` is at most the time of the last item, so that an index on the time starts there.
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, before?.at ?? Number.POSITIVE_INFINITY);
  return [limit, momentOrNull(from), momentOrNull(end), momentOrNull(before?.at), before?.key ?? null];
}

const momentOrNull = (at: Micros | undefined): string | null =>
  at === undefined || at === Number.POSITIVE_INFINITY ? null : timestamptzText(at);
