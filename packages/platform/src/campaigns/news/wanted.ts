import { allSteps, type Campaign, type EventMatcher, matchesEvent, rulesOf } from '@croupier/campaigns';
import { type Catalog, isGroup, type Rule } from '@croupier/rules';
import { eventName } from './event-names.ts';
import type { EventNews } from './news.ts';
import type { ActiveKinds } from './store.ts';
import { mayWithdraw } from './withdrawn.ts';

/*
 * Decides which events may start or move a run. Most events cannot: of a thousand rounds, perhaps one is a win that starts the
 * campaign for big wins. Writing, reading and deleting a row of news for each of the others would cost more than the campaigns
 * themselves. With 20 campaigns and 4,500 events/s, 118,000 rows waited after a minute.
 */

/** The events that the active campaigns of one brand use. */
export interface WantedEvents {
  /** Kinds of which every event is used: runs may wait for them. */
  always: Set<string>;
  /** Kinds that only start runs, with the entries of the versions in force. */
  entries: Map<string, EventMatcher[]>;
}

/** The published versions of a campaign, of which earlier ones may have active runs. */
export interface PublishedVersion {
  version_id: number;
  document: Campaign;
}

/** Pure. @param versionsOf the published versions of a campaign, including earlier ones */
export function wantedEvents(
  active: readonly ActiveKinds[],
  versionsOf: (campaignId: number) => readonly PublishedVersion[],
): Map<number, WantedEvents> {
  const byBrand = new Map<number, WantedEvents>();
  for (const { brand_id, campaign_id, version_id, kinds } of active) {
    const wanted = byBrand.get(brand_id) ?? { always: new Set(), entries: new Map() };
    byBrand.set(brand_id, wanted);
    const versions = versionsOf(campaign_id);
    const entry = versions.find((one) => one.version_id === version_id)?.document.entry;
    for (const kind of kinds) {
      const name = eventName(kind);
      if (entry === undefined || versions.some(({ document }) => mayWaitFor(document, name))) {
        wanted.always.add(kind);
        continue;
      }
      const entries = wanted.entries.get(kind) ?? [];
      wanted.entries.set(kind, entries);
      if (!('event' in entry) || entry.event !== name) continue;
      if (entry.where === undefined || !isTimeless(entry.where)) wanted.always.add(kind);
      else entries.push(entry);
    }
  }
  return byBrand;
}

/** Whether an event of a kind in `entries` may start a run, or withdraw the cause of one. Pure. */
export function isWanted(
  news: EventNews,
  entries: readonly EventMatcher[],
  reading: { catalog: Catalog; zone: string },
): boolean {
  if (mayWithdraw(news)) return true;
  if (!news.starts) return false;
  try {
    return entries.some((entry) => matchesEvent(entry, news, { ...reading, at: news.received_at }));
  } catch {
    // The lane reports an entry that cannot be evaluated, and its campaign fails.
    return true;
  }
}

/** Whether a run of the version may wait for the event, or its goal may be the event. A rule may depend on any event. */
function mayWaitFor(document: Campaign, event: string): boolean {
  if (rulesOf(document, 'waits').length > 0 || document.goal?.event === event) return true;
  return allSteps(document.steps).some((step) => 'wait' in step && 'event' in step.wait && step.wait.event === event);
}

const timeless: ReadonlySet<string> = new Set([
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'between',
  'notBetween',
  'in',
  'notIn',
  'contains',
  'beginsWith',
  'endsWith',
  'null',
  'notNull',
]);

/** Whether the conditions give the same answer now and when the lane evaluates them, possibly much later. */
function isTimeless({ rules }: Rule): boolean {
  return rules.every((one) =>
    isGroup(one) ? isTimeless(one) : 'operator' in one && timeless.has(String(one.operator)),
  );
}
