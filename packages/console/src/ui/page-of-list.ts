/** The page of the console that shows a list of the API. It consists of a path below the brand, and a query string. */
export interface PageOfList {
  to: string;
  search: Record<string, string>;
}

/**
 * API paths below a brand, with the pages that show them. `:name` is copied to the path of the page. The query is copied, too. If there
 * is a `search`, it replaces the query, except for the parameters in `copied`.
 */
const pages: readonly (readonly [
  list: string,
  page: string,
  search?: Record<string, string>,
  copied?: readonly string[],
])[] = [
  ['quarantine', 'integration/quarantine'],
  ['parked', 'integration/parked'],
  ['segment-failures', 'integration/parked', { list: 'segments' }],
  ['sync-problems', 'integration/operator'],
  ['holds', 'compliance/holds'],
  // Only site messages are held.
  ['messages', 'messages/sent', { list: 'site', state: 'held' }],
  ['sent-messages', 'messages/sent'],
  ['operator-health', 'integration/operator'],
  ['bonus-intents', 'rewards/intents'],
  ['write-backs', 'integration/write-backs'],
  ['reconciliations/:id/drift', 'integration/reconciliations/:id'],
  ['reconciliations', 'integration/reconciliations'],
  ['feed', 'integration/inspector'],
  ['conflicts', 'integration/conflicts', { list: 'conflicts' }, ['kind']],
  ['orphans', 'integration/conflicts', { list: 'orphans' }, ['kind']],
  ['rounds', 'integration/rounds'],
  ['campaigns/:code', 'campaigns/:code'],
  ['segments', 'segments'],
  ['segments/:code', 'segments/:code'],
  ['push', 'settings/push'],
  ['budgets', 'rewards/budgets'],
  // No page shows only the funds whose rate is unknown.
  ['waiting-funds', 'rewards/intents', { kind: 'funds', state: 'credited' }],
];

/**
 * Finds the page that shows a list. Pure.
 *
 * @param list such as `/quarantine?state=open`
 * @returns undefined if no page shows it
 */
export function pageOfList(list: string): PageOfList | undefined {
  const [path = '', query = ''] = list.replace(/^\//, '').split('?', 2);
  const parts = path.split('/');
  for (const [pattern, page, search, copied = []] of pages) {
    const names = pattern.split('/');
    if (names.length !== parts.length) continue;
    const given = new Map(names.map((name, place) => [name, parts[place] ?? '']));
    if (names.some((name, place) => !name.startsWith(':') && name !== parts[place])) continue;
    const to = page
      .split('/')
      .map((part) => (part.startsWith(':') ? (given.get(part) ?? '') : part))
      .join('/');
    const parameters = [...new URLSearchParams(query)].filter(
      ([name]) => search === undefined || copied.includes(name),
    );
    return { to, search: { ...Object.fromEntries(parameters), ...search } };
  }
  return undefined;
}
