import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { minAgeOf, topicsOfName } from './topics.ts';

/*
 * Pages follow changes of the platform. The api process reports which topics changed (GET brands/:brand/changes), and
 * the console then reads the queries of these topics again. If the stream is missing, for example behind a proxy that
 * buffers it, each query is read again at its own interval.
 *
 * A change never cancels a read. Otherwise a query that takes longer than the time between two changes would never be answered, and the
 * platform would continue to compute the cancelled reads. A query that is being read when something changes is read again after its
 * answer, because the answer may be older than the change.
 */

/** Minimum time in milliseconds between two reads of a topic that changes continuously. */
const gatherMs = 2_000;
/**
 * Interval in milliseconds at which each query is read again even while changes are reported, in case a report was
 * lost.
 */
const netMs = 30_000;
/**
 * Milliseconds without a stream after which queries return to their own intervals. The platform ends each stream after five minutes, and the
 * browser opens the next one after two seconds. So this pause does not count as a lost stream.
 */
const lostAfterMs = 5_000;

/**
 * Last part of the key of the pages of a list (ui/list.tsx). A change does not cause these pages to be read again.
 * Instead, the list reads its first page again, and moves no row on the screen.
 */
export const pagesName = 'pages';

/**
 * Third part of the keys of choices and names (named.ts). Changes of the platform do not cause them to be read again,
 * because the members and counts of segments and campaigns change all the time, but names rarely. It is not a code.
 */
export const unfollowed = 'names and choices';

let isLive = false;

/** Keys of objects that the page is deleting. They are not read again, because the answer would be 404. */
const deleted = new Set<QueryKey>();

/** Stops changes from causing queries below this key to be read again. @returns a function that reverts this */
export function stopReading(key: QueryKey): () => void {
  deleted.add(key);
  return () => deleted.delete(key);
}

const isDeleted = (key: QueryKey) => [...deleted].some((prefix) => prefix.every((part, place) => key[place] === part));

const topicsOf = ([, name, part]: QueryKey): readonly string[] =>
  part === unfollowed ? [] : (topicsOfName[String(name)] ?? []);

/** Returns a value for `refetchInterval`: milliseconds between two reads while no stream reports changes. */
export const every =
  (ms: number) =>
  ({ queryKey }: Pick<Query, 'queryKey'>): number =>
    isLive && topicsOf(queryKey).length > 0 ? netMs : ms;

/** Whether a query that a change made outdated is read again now. */
function isDue(query: Query, now: number): boolean {
  const { fetchStatus, dataUpdatedAt, errorUpdatedAt } = query.state;
  if (fetchStatus !== 'idle') return false;
  return !query.isActive() || now - Math.max(dataUpdatedAt, errorUpdatedAt) >= minAgeOf(query.queryKey);
}

/** Follows the changes of a brand. @returns a function that stops it */
export function followChanges(brand: string, queries: QueryClient): () => void {
  const cache = queries.getQueryCache();
  const changed = new Set<string>();
  /** Hashes of the queries that changes made outdated, and that have not been read again yet. */
  let outdated = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isFollowed = ({ queryKey }: Pick<Query, 'queryKey'>) =>
    queryKey[0] === brand && queryKey.at(-1) !== pagesName && topicsOf(queryKey).length > 0 && !isDeleted(queryKey);
  const source = new EventSource(`/api/console/v1/brands/${encodeURIComponent(brand)}/changes`);

  const readAgain = () => {
    timer = undefined;
    if (document.hidden) return;
    const found = cache
      .findAll({ predicate: isFollowed })
      .filter(
        ({ queryHash: hash, queryKey }) => outdated.has(hash) || topicsOf(queryKey).some((one) => changed.has(one)),
      );
    changed.clear();
    outdated = new Set(found.map(({ queryHash }) => queryHash));
    if (found.length === 0) return;
    timer = setTimeout(readAgain, gatherMs);
    const now = Date.now();
    const due = new Set(found.filter((query) => isDue(query, now)).map(({ queryHash }) => queryHash));
    for (const hash of due) outdated.delete(hash);
    void queries.invalidateQueries({ predicate: ({ queryHash }) => due.has(queryHash) }, { cancelRefetch: false });
  };
  const readNow = () => {
    if (timer === undefined) readAgain();
  };
  /** Reads all queries with topics again, because changes may not have been reported. */
  const readAll = () => {
    for (const topic of Object.values(topicsOfName).flat()) changed.add(topic);
    readNow();
  };
  let wasOpen = false;
  let loss: ReturnType<typeof setTimeout> | undefined;
  /** The queries return to their own intervals. Each new interval takes effect with the next answer of its query. */
  const lose = () => {
    loss = undefined;
    if (!isLive) return;
    isLive = false;
    readAll();
  };
  source.onopen = () => {
    clearTimeout(loss);
    loss = undefined;
    isLive = true;
    if (wasOpen) return readAll();
    wasOpen = true;
    // The page was read before the stream opened, so it may lack a change that was not reported. It is read again later, because its
    // first view should be fast.
    for (const { queryHash } of cache.findAll({ predicate: isFollowed })) outdated.add(queryHash);
    if (outdated.size > 0) timer ??= setTimeout(readAgain, gatherMs);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) lose();
    else loss ??= setTimeout(lose, lostAfterMs);
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    for (const topic of JSON.parse(data) as string[]) changed.add(topic);
    readNow();
  };
  document.addEventListener('visibilitychange', readNow);
  return () => {
    document.removeEventListener('visibilitychange', readNow);
    clearTimeout(timer);
    clearTimeout(loss);
    source.close();
    isLive = false;
  };
}
