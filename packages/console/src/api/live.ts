import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { topicsOfName } from './topics.ts';

/*
 * Pages follow changes of the platform. The api process reports which topics changed (GET brands/:brand/changes), and
 * the console then reads the queries of these topics again. If the stream is missing, for example behind a proxy that
 * buffers it, each query is read again at its own interval.
 */

/** Minimum time in milliseconds between two reads of a topic that changes continuously. */
const gatherMs = 2_000;
/**
 * Interval in milliseconds at which each query is read again even while changes are reported, in case a report was
 * lost.
 */
const netMs = 30_000;

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

/** Follows the changes of a brand. @returns a function that stops it */
export function followChanges(brand: string, queries: QueryClient): () => void {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isAsked = (queryKey: QueryKey) =>
    queryKey[0] === brand && queryKey.at(-1) !== pagesName && !isDeleted(queryKey);
  const source = new EventSource(`/api/console/v1/brands/${encodeURIComponent(brand)}/changes`);

  const readAgain = () => {
    timer = undefined;
    if (changed.size === 0 || document.hidden) return;
    const topics = new Set(changed);
    changed.clear();
    timer = setTimeout(readAgain, gatherMs);
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => isAsked(queryKey) && topicsOf(queryKey).some((topic) => topics.has(topic)),
    });
  };
  const readNow = () => {
    if (timer === undefined) readAgain();
  };
  let wasOpen = false;
  /**
   * Switches between the two intervals of each query. The new interval takes effect with the next answer of the query. When the stream
   * opens first, the page was read a moment ago, so its queries are read again at their own intervals, and not at once.
   */
  const setLive = (live: boolean) => {
    if (live === isLive) return;
    isLive = live;
    const isFirst = !wasOpen;
    wasOpen = true;
    if (isFirst) return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isAsked(queryKey) });
  };
  source.onopen = () => setLive(true);
  source.onerror = () => setLive(false);
  source.onmessage = ({ data }: MessageEvent<string>) => {
    for (const topic of JSON.parse(data) as string[]) changed.add(topic);
    readNow();
  };
  document.addEventListener('visibilitychange', readNow);
  return () => {
    document.removeEventListener('visibilitychange', readNow);
    clearTimeout(timer);
    source.close();
    isLive = false;
  };
}
