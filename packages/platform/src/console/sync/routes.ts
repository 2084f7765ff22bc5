import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readWaitingBonusCalls } from '../../actions/index.ts';
import { circuitStates, operatorEndpoints, readCircuits, readEndpoints } from '../../operator/calling/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import { listSyncProblems } from '../../operator/players/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { errorsIn } from '../language/translate.ts';
import { operatorAlarms, sessionChecksFor, sessionChecksOf } from '../overview/operator-alarms.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { presentHealth } from './present-health.ts';
import { readWaitingCalls } from './waiting.ts';

const Problem = Type.Object({
  player_id: Type.Integer(),
  user_id: Type.String(),
  look_up: Type.Enum(lookUps),
  path: Type.String({ description: 'Field of the answer. Empty: the whole look-up' }),
  reason: Type.String({ examples: ['wrong_type', 'unknown_player', 'timeout'] }),
  message: Type.String(),
  since: Moment,
  parked: Type.Boolean({ description: 'Croupier does not retry until an event or a person requests it' }),
});

const millis = (description: string) => Nullable(Type.Number({ description: `${description}, milliseconds` }));

const Circuit = Type.Object(
  {
    state: Type.Enum([...circuitStates]),
    processes: Type.Integer({ description: 'Number of worker processes that hold calls back' }),
    open_since: Nullable(Moment),
    next_call_at: Nullable(Moment),
  },
  { description: 'closed: all calls. paused: the operator answered 429. open: no calls. probing: one call at a time' },
);

const Waiting = Type.Object(
  {
    due: Type.Integer({ description: 'Due now or in progress' }),
    oldest_due_at: Nullable(Moment),
    retrying: Type.Integer({ description: 'Waiting for the next try' }),
    parked: Type.Integer({ description: 'For players whom the operator does not know' }),
  },
  { description: 'Calls that wait for this endpoint, counted up to 10,000' },
);

const Endpoint = Type.Object({
  endpoint: Type.Enum([...operatorEndpoints]),
  state: Type.Enum(['unused', 'working', 'failing']),
  circuit: Circuit,
  waiting: Waiting,
  successes: Type.Integer({ description: 'Over the whole lifetime' }),
  failures: Type.Integer(),
  failures_in_a_row: Type.Integer(),
  failing_since: Nullable(Moment),
  last_success: Nullable(Moment),
  last_error: Nullable(Type.Object({ at: Moment, reason: Type.String(), detail: Type.String() })),
  last_authenticated_at: Nullable(Moment),
  recent: Type.Object(
    {
      successes: Type.Integer(),
      failures: Type.Integer(),
      success_rate: Nullable(Type.Number({ description: 'Share of successful calls, 0 to 1. Null without calls' })),
      p50_ms: millis('Half of the calls took at most this'),
      p99_ms: millis('99 % of the calls took at most this'),
    },
    { description: 'Over the last 15 minutes' },
  ),
});

const Alarm = Type.Object({
  code: Type.String(),
  severity: Type.String(),
  message: Type.String(),
  since: Nullable(Moment),
});

export const listProblems = endpoint({
  method: 'GET',
  path: '/brands/:brand/sync-problems',
  tag: 'Operator',
  summary: 'Players that could not be synchronized, and parts of answers that could not be used, oldest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object({ reason: Type.Optional(Type.String()), ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Problem),
});

export const showOperatorHealth = endpoint({
  method: 'GET',
  path: '/brands/:brand/operator-health',
  tag: 'Operator',
  summary: 'The health, circuit and waiting calls of each operator endpoint',
  description: 'Worker processes report every second.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({ endpoints: Type.Array(Endpoint), alarms: Type.Array(Alarm) }),
});

const cursor = new CursorCodec(
  'sync-problems',
  Type.Object({ since: Type.Number(), player_id: Type.Number(), look_up: Type.Enum(lookUps), path: Type.String() }),
);

const recently: Micros = 15 * 60_000_000;

export function syncRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listProblems, async ({ brand, query, language }) => {
    const { limit, reason } = query;
    const after = cursor.decode(query.cursor);
    const { items, next } = await listSyncProblems(pool, brand.brand_id, { limit, after, reason });
    return {
      items: errorsIn(items, language).map((problem) => ({ ...problem, since: momentText(problem.since) })),
      next: next && cursor.encode(next),
    };
  });

  serve(app, showOperatorHealth, async ({ brand: { brand_id }, language }) => {
    const now = clock();
    const [endpoints, ofSessions, circuits, waiting, bonuses] = await Promise.all([
      readEndpoints(pool, brand_id, now - recently),
      readEndpoints(pool, brand_id, now - sessionChecksFor),
      readCircuits(pool, brand_id),
      readWaitingCalls(pool, brand_id),
      readWaitingBonusCalls(pool, brand_id),
    ]);
    const all = [...waiting, ...bonuses.map((counts) => ({ ...counts, parked: 0 }))];
    const session_checks = sessionChecksOf(ofSessions);
    const facts = { failing_endpoints: endpoints, open_circuits: circuits, session_checks };
    return {
      endpoints: presentHealth({ endpoints, circuits, waiting: all }, language),
      alarms: operatorAlarms(facts, now).map((alarm) => {
        const { code, severity, message, since } = alarm;
        return { code, severity, message: message(language), since: momentTextOrNull(since) };
      }),
    };
  });
}
