import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { PartsChange } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';
import { arrivalAmong } from '../../versions.ts';
import {
  type Activity,
  type ActivityStatus,
  type ActivityVersion,
  activityKey,
  betKey,
  displayedVersion,
  sameMoney,
  versionOf,
  versionsOf,
  withVersion,
} from './activity.ts';
import { type Bet, betOf, isOrphan } from './bet.ts';
import { interestParts } from './interests.ts';
import { partsOf } from './parts.ts';

export interface Arrival {
  source: DerivedEvent<'sports'>;
  activity_key: string;
  status: ActivityStatus;
  version: ActivityVersion;
}

export interface SportsDecision {
  /** Activities that changed. Repeats change none. */
  activities: { activity: Activity; timeZone: string }[];
  bets: Bet[];
  /** Bets whose activities have all moved to another bet. */
  gone: Pick<Bet, 'player_id' | 'bet_key'>[];
  parts: PartsChange[];
  /** Changes of the leagues and teams that the player bets on. */
  interests: PartsChange[];
  verdicts: Map<DerivedEvent, Verdict>;
  /** Orphans of earlier batches that found their counterpart. */
  resolved: { brand_id: number; orphans: number }[];
}

export function arrivalOf(source: DerivedEvent<'sports'>): Arrival {
  const { event } = source;
  const activity_key = activityKey(event.type, event.activity_id);
  return { source, activity_key, status: event.status, version: versionOf(event, fingerprintOf(source)) };
}

/** The bet that an activity belongs to. A batch may move the activity to another bet, if it contains an earlier version. */
export function betKeyOf(activity: Activity): string {
  return betKey(displayedVersion(activity).bet_id);
}

export function keyOf({ player_id, activity_key }: Pick<Activity, 'player_id' | 'activity_key'>): string {
  return `${player_id}:${activity_key}`;
}

/**
 * Applies a batch. Pure: it takes the stored activities, by `nameOfArrival`, and returns the ones that changed and the bets
 * to which they belong.
 *
 * @param held all activities of every bet that an arrival refers to, and of the bets that the arrivals' own activities
 *   belonged to
 */
export function decide(held: ReadonlyMap<string, Activity>, arrivals: readonly Arrival[]): SportsDecision {
  const decision: SportsDecision = {
    activities: [],
    bets: [],
    gone: [],
    parts: [],
    interests: [],
    verdicts: new Map(),
    resolved: [],
  };
  const now = new Map(held);
  const fresh: Arrival[] = [];
  const touched = new Map<string, Arrival>();
  for (const [name, own] of Map.groupBy(arrivals, (arrival) => nameOfArrival(arrival))) {
    const before = held.get(name);
    const after = withArrivals(before, own, fresh, decision.verdicts);
    const first = own[0];
    if (after === undefined || after === before || first === undefined) continue;
    now.set(name, after);
    decision.activities.push({ activity: after, timeZone: first.source.settings.time_zone });
    if (before !== undefined) touched.set(betNameOf(before), first);
    touched.set(betNameOf(after), first);
  }
  const heldOf = Map.groupBy(held.values(), betNameOf);
  const nowOf = Map.groupBy(now.values(), betNameOf);
  const freshOf = Map.groupBy(fresh, (arrival) => betNameOf(activityOf(now, arrival)));
  for (const [name, { source }] of touched) {
    decideBet(source, heldOf.get(name) ?? [], nowOf.get(name) ?? [], freshOf.get(name) ?? [], decision);
  }
  return decision;
}

function withArrivals(
  before: Activity | undefined,
  arrivals: readonly Arrival[],
  fresh: Arrival[],
  verdicts: Map<DerivedEvent, Verdict>,
): Activity | undefined {
  let activity = before;
  for (const { source, activity_key, status, version } of arrivals) {
    const versions = versionsOf(activity, status);
    const outcome = arrivalAmong(versions, version, sameMoney);
    if (outcome === 'new') fresh.push({ source, activity_key, status, version });
    else verdicts.set(source, outcome);
    const grown = withVersion(versions, version);
    if (grown === versions) continue;
    const { player_id, event } = source;
    activity ??= {
      player_id,
      activity_key,
      activity_id: event.activity_id,
      type: event.type,
      approved: [],
      rollbacks: [],
    };
    activity = { ...activity, ...(status === 'Approved' ? { approved: grown } : { rollbacks: grown }) };
  }
  return activity;
}

function decideBet(
  source: DerivedEvent<'sports'>,
  before: readonly Activity[],
  after: readonly Activity[],
  fresh: readonly Arrival[],
  decision: SportsDecision,
): void {
  const { brand_id, player_id } = source;
  const timeZone = source.settings.time_zone;
  const [was, is] = [betOf(before, timeZone), betOf(after, timeZone)];
  if (is !== undefined) decision.bets.push(is);
  else if (was !== undefined) decision.gone.push({ player_id, bet_key: was.bet_key });
  decision.parts.push({ brand_id, before: partsOf(before, timeZone), after: partsOf(after, timeZone) });
  const interests = { before: interestParts(before, timeZone), after: interestParts(after, timeZone) };
  decision.interests.push({ brand_id, ...interests });
  const orphans = fresh.filter(({ activity_key, status }) => {
    const activity = after.find((each) => each.activity_key === activity_key);
    return activity !== undefined && isOrphan(status, activity, after);
  });
  for (const { source } of orphans) decision.verdicts.set(source, 'orphan');
  // The number of events, stored or just arrived, that are no longer orphans. If an activity moves to another bet, its orphans
  // move with it.
  const found = (was?.orphans ?? 0) + orphans.length - (is?.orphans ?? 0);
  if (found !== 0) decision.resolved.push({ brand_id, orphans: found });
}

function nameOfArrival({ source, activity_key }: Arrival): string {
  return keyOf({ player_id: source.player_id, activity_key });
}

function betNameOf(activity: Activity): string {
  return `${activity.player_id}:${betKeyOf(activity)}`;
}

function activityOf(now: ReadonlyMap<string, Activity>, arrival: Arrival): Activity {
  return now.get(nameOfArrival(arrival)) as Activity;
}
