import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readWaitingBonusCalls } from '../../actions/index.ts';
import { lookUps, readCircuits, readEndpoints } from '../../operator/calling/index.ts';
import { listSyncProblems } from '../../operator/players/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { operatorAlarms, sessionChecksOf } from '../overview/operator-alarms.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listProblems, showOperatorHealth } from './endpoints.ts';
import { presentHealth } from './present-health.ts';
import { readWaitingCalls } from './waiting.ts';

const cursor = new CursorCodec(
  'sync-problems',
  Type.Object({ since: Type.Number(), player_id: Type.Number(), look_up: Type.Enum(lookUps), path: Type.String() }),
);

const recently: Micros = 15 * 60_000_000;

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

  serve(app, showOperatorHealth, async ({ brand: { brand_id } }) => {
    const now = clock();
    const [endpoints, circuits, waiting, bonuses] = await Promise.all([
      readEndpoints(pool, brand_id, now - recently),
      readCircuits(pool, brand_id),
      readWaitingCalls(pool, brand_id),
      readWaitingBonusCalls(pool, brand_id),
    ]);
    const all = [...waiting, ...bonuses.map((counts) => ({ ...counts, parked: 0 }))];
    const session_checks = sessionChecksOf(endpoints);
    const facts = { failing_endpoints: endpoints, open_circuits: circuits, session_checks };
    return {
      endpoints: presentHealth({ endpoints, circuits, waiting: all }),
      alarms: operatorAlarms(facts, now).map((alarm) => {
        const { code, severity, message, since } = alarm;
        return { code, severity, message, since: momentTextOrNull(since) };
      }),
    };
  });
}
