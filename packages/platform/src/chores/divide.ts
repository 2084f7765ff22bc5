import { isContentFailure, refusedValue } from '../database/index.ts';

/*
 * Work over many items at once, of which one may make the whole fail because of its data.
 *
 *   all items ---- fail ----> the same for each half ---- one fails ----> its halves ---- ... ----> a group of at most `few`
 *                                       |
 *                                   succeeds: these items are done
 */

/** Both halves of a list, to find the part that causes a failure. The first half is at most one longer. */
export function halvesOf<T>(all: readonly T[]): [readonly T[], readonly T[]] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}

/**
 * If so many groups fail, none succeeds, and the database refused no value, the cause may be an error of this program, which a new version
 * will correct. Then so many groups from all over the list are tried. If none of them succeeds either, the search ends.
 */
const mostBadGroups = 5;

export interface Divided<T, Result> {
  /** The results of the groups that succeeded. */
  results: Result[];
  /** The groups that fail, each with its error. Each contains an item that is a cause. */
  bad: { group: readonly T[]; error: unknown }[];
}

/**
 * Does the work for all items except those that make it fail. The work over all of them has failed. One bad item among 500 costs 18
 * further attempts, or 14 if groups may have 4 items.
 *
 * @param work may be called again for items for which it has succeeded
 * @param options.error of the work over all items
 * @param options.few maximum size of a group that is not divided further
 * @throws an error whose cause is not in the data; the same work may succeed later. Groups that succeeded before stay done
 */
export async function divide<T, Result>(
  all: readonly T[],
  work: (some: readonly T[]) => Promise<Result>,
  { error, few }: { error: unknown; few: number },
): Promise<Divided<T, Result>> {
  const found: Divided<T, Result> = { results: [], bad: [] };
  /** Whether groups from all over the list fail. Those that fail first may be neighbors, such as the oldest. */
  const failsEverywhere = async (): Promise<boolean> => {
    for (let n = 1; n <= mostBadGroups; n++) {
      const end = Math.ceil((all.length * n) / mostBadGroups);
      try {
        found.results.push(await work(all.slice(Math.max(0, end - few), end)));
        return false;
      } catch (error) {
        if (!isContentFailure(error)) throw error;
      }
    }
    return true;
  };
  const search = async (some: readonly T[], failure: unknown): Promise<void> => {
    if (some.length <= few) {
      found.bad.push({ group: some, error: failure });
      const isSuspect = found.results.length === 0 && found.bad.length >= mostBadGroups;
      if (isSuspect && refusedValue(failure) === undefined && (await failsEverywhere())) throw failure;
      return;
    }
    for (const half of halvesOf(some)) {
      try {
        found.results.push(await work(half));
      } catch (error) {
        if (!isContentFailure(error)) throw error;
        await search(half, error);
      }
    }
  };
  await search(all, error);
  return found;
}
