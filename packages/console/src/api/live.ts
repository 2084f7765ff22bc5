import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/*
 * What is on the screen follows the platform: the api process tells which topics changed (GET brands/:brand/changes), and what is shown of a topic is
 * read again. Without the stream, as behind a proxy that holds it back, each query is read again at its own interval.
 */

/** The topic of what is read under a key `[brand, name, ...]`. What is not here is read again at its interval. */
const topicOfName: Record<string, string> = {
  overview: 'overview',
  feed: 'feed',
  effects: 'feed',
  parked: 'feed',
  quarantine: 'quarantine',
  quarantined: 'quarantine',
  player: 'players',
  players: 'players',
  segments: 'segments',
  segment: 'segments',
  campaigns: 'campaigns',
  campaign: 'campaigns',
  intents: 'rewards',
  intent: 'rewards',
  approvals: 'rewards',
  budgets: 'rewards',
  decisions: 'compliance',
  transitions: 'compliance',
  erasures: 'compliance',
  reconciliations: 'operations',
  reconciliation: 'operations',
  rebuilds: 'operations',
  rebuild: 'operations',
  'operator-health': 'operations',
  'sync-problems': 'operations',
  channels: 'operations',
};

/** While a topic changes all the time, it is read again so often, in milliseconds. */
const gatherMs = 2_000;
/** While changes are told, a query is read again so often all the same: a change that was lost is found. */
const netMs = 30_000;

/**
 * Last part of the key under which the pages of a list are kept (ui/list.tsx). They are not read again when something changed: the list reads its first
 * page again, and moves nothing that is on the screen.
 */
export const pagesName = 'pages';

let isLive = false;

/** Keys of what the page is deleting: reading it again would only answer 404. */
const deleted = new Set<QueryKey>();

/** From now on no change makes the page read what is below this key. @returns how to end that */
export function stopReading(key: QueryKey): () => void {
  deleted.add(key);
  return () => deleted.delete(key);
}

const isDeleted = (key: QueryKey) => [...deleted].some((prefix) => prefix.every((part, place) => key[place] === part));

const topicOf = ([, name]: QueryKey): string | undefined => topicOfName[String(name)];

/** For `refetchInterval`: milliseconds while nobody tells of changes. */
export const every =
  (ms: number) =>
  ({ queryKey }: Pick<Query, 'queryKey'>): number =>
    isLive && topicOf(queryKey) !== undefined ? netMs : ms;

/** Follows the changes of a brand. @returns how to stop */
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
      predicate: ({ queryKey }) => isAsked(queryKey) && topics.has(topicOf(queryKey) ?? ''),
    });
  };
  const readNow = () => {
    if (timer === undefined) readAgain();
  };
  /** Intervals follow with the next answer of each query. */
  const setLive = (live: boolean) => {
    if (live === isLive) return;
    isLive = live;
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
