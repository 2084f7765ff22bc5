import { allSteps, type Campaign, type EventMatcher, matchesEvent, rulesOf } from '@croupier/campaigns';
import { type Catalog, isGroup, type Rule } from '@croupier/rules';
import { eventName } from './event-names.ts';
import type { EventNews } from './news.ts';
import type { ActiveKinds } from './store.ts';
import { mayWithdraw } from './withdrawn.ts';

/*
 * Decides which events may start or move a run. Most events cannot: of a thousand rounds, perhaps one is a win that starts the
 * campaign for big wins. Writing, reading and deleting a row of news for each of the others would cost more than the campaigns
 * themselves. When every round was stored as news, with 20 campaigns and 4,500 events/s, 118,000 rows waited after a minute.
 */

/** The events that the active campaigns of one brand use. */
export interface WantedEvents {
  /** Kinds of which every event is used. */
  always: Set<string>;
  /** The conditions on events of the other kinds. */
  matchers: Map<string, Matchers>;
}

/** Conditions on events of one kind. An event that satisfies none of them is not used. */
export interface Matchers {
  /** The entries of the versions in force. */
  entries: EventMatcher[];
  /** The waits and goals of all published versions. */
  awaited: EventMatcher[];
}

/** A published version of a campaign. Earlier versions may still have active runs. */
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
    const wanted = byBrand.get(brand_id) ?? { always: new Set(), matchers: new Map() };
    byBrand.set(brand_id, wanted);
    const versions = versionsOf(campaign_id);
    const entry = versions.find((one) => one.version_id === version_id)?.document.entry;
    for (const kind of kinds) {
      const name = eventName(kind);
      const entries = entry !== undefined && 'event' in entry && entry.event === name ? [entry] : [];
      const awaited = versions.flatMap(({ document }) => awaitedBy(document, name));
      const mayDependOnAny = versions.some(({ document }) => rulesOf(document, 'waits').length > 0);
      if (entry === undefined || mayDependOnAny || ![...entries, ...awaited].every(isDecidedNow)) {
        wanted.always.add(kind);
        continue;
      }
      const known = wanted.matchers.get(kind) ?? { entries: [], awaited: [] };
      wanted.matchers.set(kind, { entries: [...known.entries, ...entries], awaited: [...known.awaited, ...awaited] });
    }
  }
  return byBrand;
}

/** Whether an event of a kind in `matchers` may start or move a run, or withdraw the cause of one. Pure. */
export function isWanted(
  news: EventNews,
  { entries, awaited }: Matchers,
  reading: { catalog: Catalog; zone: string },
): boolean {
  if (mayWithdraw(news)) return true;
  const matches = (one: EventMatcher) => matchesEvent(one, news, { ...reading, at: news.received_at });
  try {
    return awaited.some(matches) || (news.starts && entries.some(matches));
  } catch {
    // The event is used, so that the lane evaluates the condition again. There, the error makes the campaign or the run
    // fail.
    return true;
  }
}

/** The waits of a version that an event with this name may end, and its goal if such an event may reach it. */
function awaitedBy({ goal, steps }: Campaign, event: string): EventMatcher[] {
  const waits = allSteps(steps).flatMap((step) => ('wait' in step && 'event' in step.wait ? [step.wait] : []));
  return [...waits, ...(goal === undefined ? [] : [goal])].filter((one) => one.event === event);
}

/** Whether there is a condition that gives the same result now and when the lane evaluates it, possibly much later. */
function isDecidedNow({ where }: EventMatcher): boolean {
  return where !== undefined && isTimeless(where);
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

function isTimeless({ rules }: Rule): boolean {
  return rules.every((one) =>
    isGroup(one) ? isTimeless(one) : 'operator' in one && timeless.has(String(one.operator)),
  );
}
