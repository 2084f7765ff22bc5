import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { alarmsOf } from './alarms.ts';
import { showOverview } from './endpoints.ts';
import type { PublishDelay } from './event-notes.ts';
import { type KindFacts, readFacts } from './facts.ts';
import { type FurtherKind, furtherKinds, goLiveSteps, readyToGoLive } from './go-live.ts';
import { proposalsFor } from './proposals.ts';

export function overviewRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  serve(app, showOverview, async ({ brand }) => {
    const { at, lag, kinds, go_live, alarms } = await readFacts(deps, brand);
    const steps = goLiveSteps(go_live);
    return {
      at: momentText(at),
      events_per_second: kinds.reduce((sum, { per_second }) => sum + per_second, 0),
      lag: {
        seconds: lag.oldest_received_at === null ? 0 : Math.max(0, at - lag.oldest_received_at) / 1_000_000,
        blocks: lag.blocks,
      },
      kinds: kinds.map(presentKind),
      alarms: alarmsOf(alarms).map((alarm) => ({ ...alarm, since: momentTextOrNull(alarm.since) })),
      go_live: {
        ready: readyToGoLive(steps),
        steps: steps.map(({ step, item, ...rest }) => ({ step, item, ...presentJudged(rest) })),
        further: furtherKinds(go_live).map(({ kind, ...rest }) => ({ kind, ...presentJudged(rest) })),
        proposals: proposalsFor(brand.settings),
      },
    };
  });
}

function presentKind(facts: KindFacts) {
  const { kind, per_second, events, repeats, conflicts, orphans, unreadable, flagged, quarantined } = facts;
  return {
    kind,
    per_second,
    events,
    repeats,
    conflicts,
    orphans,
    unreadable,
    flagged,
    quarantined,
    last_received_at: momentTextOrNull(facts.last_success),
    publish_delay: presentDelay(facts.publish_delay),
  };
}

function presentJudged({ state, last_success, last_error, publish_delay, notes }: Omit<FurtherKind, 'kind'>) {
  return {
    state,
    last_success: momentTextOrNull(last_success),
    last_error: last_error && { at: momentText(last_error.at), message: last_error.message },
    publish_delay: presentDelay(publish_delay),
    notes,
  };
}

function presentDelay(delay: PublishDelay | null) {
  if (delay === null) return null;
  const { p50, p99, target, events } = delay;
  return { p50_ms: p50 / 1_000, p99_ms: p99 / 1_000, target_ms: target / 1_000, events };
}
