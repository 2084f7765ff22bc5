import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type EndpointHealth,
  latencyBoundsMs,
  listSyncProblems,
  lookUps,
  readBacklog,
  readEndpoints,
} from '../../operator/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { quantile } from '../overview/quantile.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listProblems, showOperatorHealth } from './endpoints.ts';

const cursor = new CursorCodec(
  'sync-problems',
  Type.Object({ since: Type.Number(), player_id: Type.Number(), look_up: Type.Enum(lookUps), path: Type.String() }),
);

const recently = 3_600_000_000;
const latencyBounds = [...latencyBoundsMs, Number.POSITIVE_INFINITY];

export function syncRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listProblems, async ({ brand, query }) => {
    const { limit, reason } = query;
    const after = query.cursor === undefined ? undefined : cursor.decode(query.cursor);
    const { items, next } = await listSyncProblems(pool, brand.brand_id, { limit, after, reason });
    return {
      items: items.map((problem) => ({ ...problem, since: momentText(problem.since) })),
      next: next && cursor.encode(next),
    };
  });

  serve(app, showOperatorHealth, async ({ brand }) => {
    const [endpoints, backlog] = await Promise.all([
      readEndpoints(pool, brand.brand_id, clock() - recently),
      readBacklog(pool, brand.brand_id),
    ]);
    return {
      endpoints: endpoints.map(shown),
      backlog: backlog.map((one) => ({ ...one, oldest_due_at: momentTextOrNull(one.oldest_due_at) })),
    };
  });
}

function shown(health: EndpointHealth) {
  const { last_failure_at, last_failure, last_failure_detail, recent } = health;
  return {
    endpoint: health.endpoint,
    state: stateOf(health),
    successes: health.successes,
    failures: health.failures,
    failures_in_a_row: health.failures_in_a_row,
    failing_since: momentTextOrNull(health.failing_since),
    last_success: momentTextOrNull(health.last_success_at),
    last_error:
      last_failure_at === null
        ? null
        : { at: momentText(last_failure_at), reason: last_failure ?? '', detail: last_failure_detail ?? '' },
    last_authenticated_at: momentTextOrNull(health.last_authenticated_at),
    recent: {
      successes: recent.successes,
      failures: recent.failures,
      p50_ms: quantile(recent.latency, latencyBounds, 0.5),
      p99_ms: quantile(recent.latency, latencyBounds, 0.99),
    },
  };
}

function stateOf({ successes, failures, failures_in_a_row }: EndpointHealth): 'unused' | 'working' | 'failing' {
  if (failures_in_a_row > 0) return 'failing';
  return successes + failures > 0 ? 'working' : 'unused';
}
