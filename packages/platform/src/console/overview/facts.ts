import type { EventKind, Micros } from '@croupier/contracts';
import { countWaitingIntents } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { storedCursors } from '../../buckets/index.ts';
import { readCampaignConcerns, readSpoiledRuns } from '../../campaigns/index.ts';
import { countFailedMessages, countHeld } from '../../channels/index.ts';
import { readProcessClocks } from '../../chores/index.ts';
import {
  countUnpriced,
  delayBounds,
  endlessRound,
  type FeedSummary,
  feedMinutesSince,
  feedSummary,
  lastReceived,
  listParked,
  roundPartners,
} from '../../derive/index.ts';
import { countHolds } from '../../gate/index.ts';
import { comingRemovals, quarantineCounts } from '../../ingest/index.ts';
import {
  type EndpointHealth,
  type OperatorEndpoint,
  readCircuits,
  readEndpoints,
} from '../../operator/calling/index.ts';
import { readBacklog } from '../../operator/players/index.ts';
import { readLatestDrift } from '../../operator/reconciliation/index.ts';
import { countWriteBacks } from '../../operator/writeback/index.ts';
import { segmentFailures } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { readPushConcerns } from '../push/push-concerns.ts';
import type { AlarmFacts } from './alarms.ts';
import type { ConcernFacts } from './concerns.ts';
import { type EventFacts, eventNotes, isOwnKind, type PublishDelay, publishTargetMicros } from './event-notes.ts';
import type { CallFacts, GoLiveFacts } from './go-live.ts';
import { readMoneyConcerns } from './money-concerns.ts';
import { sessionChecksFor, sessionChecksOf } from './operator-alarms.ts';
import { quantile } from './quantile.ts';
import { minutesOf, ratesOf } from './rates.ts';

const minute: Micros = 60_000_000;
const day: Micros = 24 * 60 * minute;

/** The count stops here, because more parked players do not change the alarm. */
const mostParked = 1_000;

/** The facts about one event kind. */
export interface KindFacts extends EventFacts {
  kind: EventKind;
  per_second: number;
  repeats: number;
  unreadable: number;
  flagged: number;
}

export interface OverviewFacts {
  at: Micros;
  lag: { oldest_received_at: Micros | null; blocks: number };
  kinds: KindFacts[];
  go_live: GoLiveFacts;
  alarms: AlarmFacts;
  concerns: ConcernFacts;
  /** Events of all kinds in each of the last 60 minutes, the oldest first; the last one is not over yet. */
  minutes: readonly { at: Micros; events: number }[];
}

/** Reads all facts for the overview of a brand. The queries do not share a snapshot. */
export async function readFacts(
  { pool, ledger, clock, push: { vault } }: ConsoleDeps,
  brand: Brand,
): Promise<OverviewFacts> {
  const at = clock();
  const { brand_id } = brand;
  const [
    summaries,
    minutes,
    received,
    waiting,
    endpoints,
    circuits,
    backlog,
    write_backs,
    messages,
    intents,
    money,
    push,
    campaigns,
    spoiled_runs,
    parked,
    segments,
    segment_players,
    lag,
    clocks,
    holds,
    failed_messages,
    drift,
    removals,
  ] = await Promise.all([
    feedSummary(pool, brand_id, at - day),
    feedMinutesSince(pool, brand_id, at - 60 * minute),
    lastReceived(pool, brand_id),
    quarantineCounts(pool, brand_id),
    readEndpoints(pool, brand_id, at - sessionChecksFor),
    readCircuits(pool, brand_id),
    readBacklog(pool, brand_id),
    countWriteBacks(pool, brand_id),
    countHeld(pool, brand_id),
    countWaitingIntents(pool, brand_id),
    readMoneyConcerns(pool, brand_id),
    readPushConcerns(pool, vault, brand),
    readCampaignConcerns(pool, brand_id),
    readSpoiledRuns(pool, brand_id, at),
    listParked(pool, brand_id, mostParked),
    segmentFailures.ofBuckets(pool),
    segmentFailures.ofPlayers(pool, brand_id),
    storedCursors(pool, ledger.beginning).then((cursors) => ledger.lag(cursors)),
    readProcessClocks(pool),
    countHolds(pool, brand_id),
    countFailedMessages(pool, brand_id, at - day),
    readLatestDrift(pool, brand_id),
    comingRemovals(pool, { brand_id, quarantine_days: brand.settings.quarantine_days }, at),
  ]);
  const summaryOf = new Map(summaries.map((summary) => [summary.kind, summary]));
  const waitingOf = new Map<EventKind, (typeof waiting)[number]>(waiting.map((each) => [each.kind, each]));
  const rates = ratesOf(minutes, at);
  const partners = await partnersOf(pool, brand, summaryOf, at);
  const unpriced_rounds = received.has('gameround') ? await countUnpriced(pool, brand_id) : 0;
  const endless_round = received.has('casino') ? await endlessRound(pool, brand_id, at) : null;
  const kinds = [...new Set([...received.keys(), ...waitingOf.keys()])].map((kind) => {
    const { open = 0, last_at = null, last_reasons = [] } = waitingOf.get(kind) ?? {};
    return {
      kind,
      ...countsOf(summaryOf.get(kind)),
      // Only events of the operator have a publish delay. The platform stores its own events once their outcome is certain.
      publish_delay: isOwnKind(kind) ? null : publishDelay(summaryOf.get(kind)?.delays ?? []),
      per_second: rates.get(kind) ?? 0,
      last_success: received.get(kind) ?? null,
      last_error:
        last_at === null
          ? null
          : { at: last_at, message: last_reasons.map(({ message }) => message).join(' '), errors: last_reasons },
      quarantined: open,
      ...(kind === 'gameround' && { partners, unpriced_rounds }),
      ...(kind === 'casino' && { endless_round }),
    };
  });
  const quarantined = kinds.reduce((sum, { quarantined }) => sum + quarantined, 0);
  const players_not_synchronized = backlog.reduce(
    (sum, { retrying, parked: given_up }) => sum + retrying + given_up,
    0,
  );
  return {
    at,
    lag,
    kinds,
    go_live: goLiveFacts(kinds, endpoints),
    minutes: minutesOf(minutes, at),
    concerns: {
      quarantined,
      parked_players: parked.length,
      players_not_synchronized,
      holds,
      messages,
      failed_messages: { ...failed_messages, since: at - day },
      intents,
      write_backs,
      drift,
    },
    alarms: {
      now: at,
      clocks,
      oldest_pending_at: lag.oldest_received_at,
      quarantined,
      removals,
      parked_players: parked.length,
      segments,
      segment_players,
      failing_endpoints: endpoints,
      session_checks: sessionChecksOf(endpoints),
      open_circuits: circuits,
      write_backs,
      messages,
      intents,
      money,
      push,
      campaigns,
      spoiled_runs,
      players_not_synchronized,
      kinds: kinds.map((facts) => ({
        kind: facts.kind,
        events: facts.events,
        last_received_at: facts.last_success,
        notes: eventNotes(facts.kind, facts),
      })),
    },
  };
}

/** Queried only if both endpoints send, and both create rounds. */
async function partnersOf(
  pool: ConsoleDeps['pool'],
  { brand_id, settings }: Brand,
  summaries: ReadonlyMap<EventKind, FeedSummary>,
  at: Micros,
): Promise<EventFacts['partners']> {
  const isSent = (kind: EventKind) => (summaries.get(kind)?.events ?? 0) > 0;
  if (settings.rounds_from !== 'auto' || !isSent('casino') || !isSent('gameround')) return undefined;
  const { rounds, casino_only, gameround_only } = await roundPartners(pool, brand_id, at);
  return { rounds, alone: casino_only + gameround_only };
}

function countsOf(summary: FeedSummary | undefined) {
  const {
    events = 0,
    repeats = 0,
    conflicts = 0,
    orphans = 0,
    unreadable = 0,
    flagged = 0,
    without_id = 0,
  } = summary ?? {};
  const hours = summary?.zoneless_hours ?? [];
  return {
    events,
    repeats,
    conflicts,
    orphans,
    unreadable,
    flagged,
    without_id,
    zoneless: {
      events: summary?.zoneless ?? 0,
      // The histogram runs from -24 to +24 hours.
      shifted: hours.map((count, place) => ({ hours: place - 24, events: count })).filter(({ hours }) => hours !== 0),
    },
  };
}

function publishDelay(delays: readonly number[]): PublishDelay | null {
  const p50 = quantile(delays, delayBounds, 0.5);
  const p99 = quantile(delays, delayBounds, 0.99);
  if (p50 === null || p99 === null) return null;
  return { p50, p99, target: publishTargetMicros, events: delays.reduce((sum, count) => sum + count, 0) };
}

function goLiveFacts(kinds: readonly KindFacts[], endpoints: readonly EndpointHealth[]): GoLiveFacts {
  const callsOf = (name: OperatorEndpoint): CallFacts => {
    const health = endpoints.find(({ endpoint }) => endpoint === name);
    return { last_success: health?.last_success_at ?? null, last_error: health ? failureOf(health) : null };
  };
  return {
    // A call that was refused because of its content had a valid key, so it counts as authenticated.
    inbound: {
      last_success: newest(kinds.flatMap(({ last_success, last_error }) => [last_success, last_error?.at ?? null])),
      last_error: null,
    },
    outbound: {
      last_success: newest(endpoints.map(({ last_authenticated_at }) => last_authenticated_at)),
      last_error: latestFailure(endpoints.filter(({ last_failure }) => last_failure === 'unauthorized')),
    },
    user_details: callsOf('userdetails'),
    consents: callsOf('userconsents'),
    blocks: callsOf('userblocks'),
    events: Object.fromEntries(kinds.map((facts) => [facts.kind, facts])),
  };
}

function failureOf({ last_failure_at, last_failure, last_failure_detail }: EndpointHealth): CallFacts['last_error'] {
  if (last_failure_at === null) return null;
  return { at: last_failure_at, message: [last_failure, last_failure_detail].filter(Boolean).join(': ') };
}

function latestFailure(endpoints: readonly EndpointHealth[]): CallFacts['last_error'] {
  const failures = endpoints.map(failureOf).filter((failure) => failure !== null);
  return failures.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

function newest(times: readonly (Micros | null)[]): Micros | null {
  return times.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b)), null);
}
