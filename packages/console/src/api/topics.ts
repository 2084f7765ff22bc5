/**
 * Topics of the queries with the key `[brand, name, ...]`. A query is read again when one of its topics changes. A query that is not
 * listed is read again only at its interval. A test compares the topics with those of the platform.
 *
 * Never list a query whose reads are recorded in the staff audit, such as `quarantined`: its page would fill the audit while it is open.
 */
export const topicsOfName: Record<string, readonly string[]> = {
  overview: ['overview'],
  feed: ['feed'],
  // The effects of an event are segments, tags, runs with their steps, messages, bonuses, decisions and changes of protection.
  effects: ['feed', 'players', 'segments', 'campaigns', 'rewards', 'compliance', 'messages'],
  parked: ['feed'],
  'too-old': ['feed'],
  'segment-failures': ['segments'],
  conflicts: ['feed'],
  orphans: ['feed'],
  'odd-rounds': ['feed'],
  quarantine: ['quarantine'],
  'refused-calls': ['refused_calls'],
  player: ['players'],
  players: ['players'],
  segments: ['segments'],
  segment: ['segments'],
  campaigns: ['campaigns'],
  campaign: ['campaigns'],
  run: ['campaigns'],
  intents: ['rewards'],
  intent: ['rewards'],
  approvals: ['campaigns'],
  budgets: ['rewards'],
  decisions: ['compliance'],
  transitions: ['compliance'],
  erasures: ['compliance'],
  holds: ['holds'],
  'bulk-actions': ['bulk'],
  'bulk-action': ['bulk'],
  recalls: ['messages'],
  'contact-lists': ['messages'],
  templates: ['templates'],
  template: ['templates'],
  'sent-messages': ['messages'],
  'sent-message': ['messages'],
  'site-messages': ['messages'],
  push: ['push'],
  'push-deliveries': ['push'],
  audit: ['audit'],
  reconciliations: ['operations'],
  reconciliation: ['operations'],
  rebuilds: ['operations'],
  rebuild: ['operations'],
  resyncs: ['operations'],
  'write-backs': ['operations'],
  'operator-health': ['operations'],
  'sync-problems': ['operations'],
  channels: ['operations'],
};

/** Matches any part of a key. */
const any = '*';

/**
 * Queries that read many rows, by the parts of their key after the brand. While changes are reported, an open page reads them again
 * only when its last answer is at least `minAgeMs` old.
 *
 * The comparison of a draft with the members of its segment (`segment-difference`) reads many rows, too. It has no topic, so changes never
 * cause it to be read again.
 */
const expensiveQueries: readonly { key: readonly string[]; minAgeMs: number }[] = [
  { key: ['campaign', any, 'results'], minAgeMs: 10_000 },
  { key: ['segment', any, 'overlap'], minAgeMs: 30_000 },
  { key: ['segment', any, 'transitions', 'days'], minAgeMs: 10_000 },
  { key: ['template', any, 'gaps'], minAgeMs: 60_000 },
];

/** Minimum age in milliseconds of the answer to a query before a change causes the query to be read again. Pure. */
export const minAgeOf = ([, ...parts]: readonly unknown[]): number =>
  expensiveQueries.find(({ key }) => key.every((part, place) => part === any || part === parts[place]))?.minAgeMs ?? 0;
