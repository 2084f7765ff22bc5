import { reconciliationFields } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import {
  cancelReconciliation,
  decideHeldReconciliation,
  driftActions,
  mostDriftListed,
  type ReconciliationRun,
  readDrift,
  readReconciliation,
  readReconciliations,
  reconciliationStates,
  requestReconciliations as request,
} from '../../operator/reconciliation/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const RunParams = Type.Object({
  brand: Type.String({ description: 'Code of the brand' }),
  reconciliation_id: Type.Integer({ minimum: 1 }),
});

const Field = Type.Enum([...reconciliationFields]);

const State = Type.Enum([...reconciliationStates]);

const Done = Type.Enum([...driftActions]);

const Reconciliation = Type.Object({
  reconciliation_id: Type.Integer(),
  field: Field,
  cause: Type.Enum(['schedule', 'person']),
  state: State,
  reason: Nullable(
    Type.String({
      description:
        'If held: empty, shorter, first_withdraws or withdraws. If failed: the reason. If superseded: expired',
    }),
  ),
  detail: Nullable(Type.String({ description: "The reason as text, including the operator's error" })),
  cancel_requested: Type.Boolean(),
  requested_at: Moment,
  started_at: Nullable(Moment),
  applied_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  result_timestamp: Nullable(Type.String({ format: 'date-time', description: "The operator's time of the result" })),
  as_of: Nullable(Type.String({ format: 'date-time', description: 'Newer facts were not changed' })),
  progress: Type.Object({
    step: Nullable(Type.Enum(['players', 'look_ups', 'unknown'])),
    bytes: Type.Integer({ description: 'Bytes of the answer read so far' }),
    ids_read: Type.Integer(),
    ids: Nullable(Type.Integer({ description: 'Distinct ids of the complete list' })),
    ids_before: Nullable(Type.Integer({ description: 'Size of the last applied list of this field' })),
    compared: Type.Integer({ description: 'Players of the brand compared so far' }),
    looked_up: Type.Integer({ description: 'Players of `to_look_up` whose look-ups were requested' }),
  }),
  drift: Type.Object({
    tightened: Type.Integer({ description: 'Blocked, excluded, or a consent withdrawn' }),
    to_look_up: Type.Integer({ description: 'The list would allow more contact. A look-up decides' }),
    reported: Type.Integer({ description: 'Differences of the field `active`, which have no effect' }),
    newer: Type.Integer({
      description: "The platform's data is newer than the result, or a change of the platform is in progress",
    }),
    created: Type.Integer({ description: 'Ids that the platform did not know' }),
  }),
});

export const requestReconciliations = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations',
  tag: 'Reconciliations',
  summary: 'Start a reconciliation with the operator',
  description: 'A worker starts the runs within a second, one at a time. A field with an open run gets no second run.',
  may: 'player.reconcile',
  conflict: 'The brand has no operator',
  params: BrandParams,
  body: Type.Optional(
    Type.Object(
      {
        fields: Type.Optional(Type.Array(Field, { minItems: 1, uniqueItems: true, description: 'Default: all nine' })),
      },
      { additionalProperties: false },
    ),
  ),
  status: 202,
  answer: Type.Object({
    items: Type.Array(Type.Object({ reconciliation_id: Type.Integer(), field: Field, state: State })),
  }),
});

export const listReconciliations = endpoint({
  method: 'GET',
  path: '/brands/:brand/reconciliations',
  tag: 'Reconciliations',
  summary: 'Runs of the brand with their progress and differences, newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    { ...pageQuery, field: Type.Optional(Field), state: Type.Optional(State) },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Reconciliation),
});

export const showReconciliation = endpoint({
  method: 'GET',
  path: '/brands/:brand/reconciliations/:reconciliation_id',
  tag: 'Reconciliations',
  summary: 'One run with its progress or result',
  may: 'brand.read',
  params: RunParams,
  status: 200,
  answer: Reconciliation,
});

const noBody = Type.Optional(Type.Object({}, { additionalProperties: false }));

export const cancelReconciliationEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations/:reconciliation_id/cancel',
  tag: 'Reconciliations',
  summary: 'Cancel a run. It stops within a few seconds. Restrictions that it has already applied stay in force',
  may: 'player.reconcile',
  conflict: 'The run is already over',
  params: RunParams,
  body: noBody,
  status: 202,
  answer: Reconciliation,
});

export const approveReconciliation = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations/:reconciliation_id/approve',
  tag: 'Reconciliations',
  summary:
    'Apply a held list. A list is held if it is empty, much shorter than the last one, or withdraws many consents',
  may: 'player.reconcile',
  conflict: 'The list is not held, or another reconciliation of the operator is in progress',
  params: RunParams,
  body: noBody,
  status: 202,
  answer: Reconciliation,
});

export const rejectReconciliation = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations/:reconciliation_id/reject',
  tag: 'Reconciliations',
  summary: 'Reject a held list. Nothing of it is applied',
  may: 'player.reconcile',
  conflict: 'The list is not held, or another reconciliation of the operator is in progress',
  params: RunParams,
  body: noBody,
  status: 200,
  answer: Reconciliation,
});

export const listDrift = endpoint({
  method: 'GET',
  path: '/brands/:brand/reconciliations/:reconciliation_id/drift',
  tag: 'Reconciliations',
  summary: 'Players with a difference, its direction, since when, and what was done',
  description: `The first ${mostDriftListed.toLocaleString('en')} players of a run, for 90 days. The counts include all players. Erased players are omitted.`,
  may: 'player.read',
  params: RunParams,
  query: Type.Object({ ...pageQuery, done: Type.Optional(Done) }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(
    Type.Object({
      player_id: Type.Integer(),
      user_id: Type.String(),
      we_say: Nullable(Type.Boolean({ description: 'Null: unknown to the platform' })),
      they_say: Type.Boolean(),
      since: Nullable(Type.String({ format: 'date-time', description: "Time of the platform's value" })),
      done: Done,
    }),
  ),
});

const byNumber = new CursorCodec('reconciliations', Type.Integer());
const byPlayer = new CursorCodec('reconciliation-drift', Type.Integer());

export function reconciliationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const knownRun = async (brand: Brand, id: number) => {
    const run = await readReconciliation(pool, brand.brand_id, id);
    if (run === undefined) throw notFound('reconciliation', id);
    return run;
  };

  serve(app, requestReconciliations, async ({ access, brand, body }) => {
    if (brand.operator === null)
      throw new Refused('conflict', { en: 'the brand has no operator', de: 'Die Marke hat keinen Betreiber' });
    const fields = body?.fields ?? reconciliationFields;
    return transaction(pool, async (tx) => {
      const items = await request(tx, { brand_id: brand.brand_id, fields, cause: 'person', now: clock() });
      const subject = `reconciliation ${items.map(({ reconciliation_id }) => reconciliation_id).join(', ')}`;
      const details = { fields: [...fields] };
      await record(deps, access, { action: 'reconciliation.requested', brand, subject, details }, tx);
      return { items };
    });
  });

  serve(app, listReconciliations, async ({ brand, query }) => {
    const before = byNumber.decode(query.cursor);
    const { field, state } = query;
    const runs = await readReconciliations(pool, {
      brand_id: brand.brand_id,
      field,
      state,
      before,
      limit: query.limit + 1,
    });
    const { items, next } = pageFrom(runs, query.limit, (last) => byNumber.encode(last.reconciliation_id));
    return { items: items.map(present), next };
  });

  serve(app, showReconciliation, async ({ brand, params }) => present(await knownRun(brand, params.reconciliation_id)));

  serve(app, cancelReconciliationEndpoint, async ({ access, brand, params }) => {
    const { reconciliation_id, state } = await knownRun(brand, params.reconciliation_id);
    await transaction(pool, async (tx) => {
      if (!(await cancelReconciliation(tx, brand.brand_id, reconciliation_id, clock())))
        throw new Refused('conflict', {
          en: `reconciliation ${reconciliation_id} is ${state} and cannot be cancelled`,
          de: `Der Abgleich ${reconciliation_id} läuft nicht mehr und kann nicht abgebrochen werden`,
        });
      const subject = `reconciliation ${reconciliation_id}`;
      await record(deps, access, { action: 'reconciliation.cancelled', brand, subject }, tx);
    });
    return present(await knownRun(brand, reconciliation_id));
  });

  const decide = async (access: Access, brand: Brand, id: number, verdict: 'approve' | 'reject') => {
    const { reconciliation_id, state, field } = await knownRun(brand, id);
    await transaction(pool, async (tx) => {
      const outcome = await decideHeldReconciliation(tx, brand.brand_id, reconciliation_id, verdict, clock());
      if (outcome === 'not_held')
        throw new Refused('conflict', {
          en: `reconciliation ${reconciliation_id} is ${state}, not held; it cannot be approved or rejected`,
          de: `Der Abgleich ${reconciliation_id} ist nicht zurückgestellt und kann weder freigegeben noch abgelehnt werden`,
        });
      if (outcome === 'busy')
        throw new Refused('conflict', {
          en: 'another reconciliation of this operator is in progress; try again when it is over',
          de: 'Ein anderer Abgleich dieses Betreibers läuft; versuchen Sie es danach erneut',
        });
      const action = verdict === 'approve' ? 'reconciliation.approved' : 'reconciliation.rejected';
      const subject = `reconciliation ${reconciliation_id}`;
      await record(deps, access, { action, brand, subject, details: { field } }, tx);
    });
    return present(await knownRun(brand, reconciliation_id));
  };
  serve(app, approveReconciliation, async ({ access, brand, params }) =>
    decide(access, brand, params.reconciliation_id, 'approve'),
  );
  serve(app, rejectReconciliation, async ({ access, brand, params }) =>
    decide(access, brand, params.reconciliation_id, 'reject'),
  );

  serve(app, listDrift, async ({ brand, params, query }) => {
    const { reconciliation_id } = await knownRun(brand, params.reconciliation_id);
    const after = byPlayer.decode(query.cursor);
    const rows = await readDrift(pool, reconciliation_id, { done: query.done, after, limit: query.limit + 1 });
    const { items, next } = pageFrom(rows, query.limit, (last) => byPlayer.encode(last.player_id));
    return { items: items.map((one) => ({ ...one, since: momentTextOrNull(one.since) })), next };
  });
}

function present(run: ReconciliationRun) {
  const { step, bytes, ids_read, ids, ids_before, compared, looked_up } = run;
  const { tightened, to_look_up, reported, newer, created, state } = run;
  return {
    reconciliation_id: run.reconciliation_id,
    field: run.field,
    cause: run.cause,
    state,
    reason: run.reason,
    detail: run.detail,
    cancel_requested: run.cancel_requested,
    requested_at: momentText(run.requested_at),
    started_at: momentTextOrNull(run.started_at),
    applied_at: momentTextOrNull(run.applied_at),
    finished_at: momentTextOrNull(run.finished_at),
    result_timestamp: momentTextOrNull(run.result_timestamp),
    as_of: momentTextOrNull(run.as_of),
    progress: { step, bytes, ids_read, ids, ids_before, compared, looked_up },
    drift: { tightened, to_look_up, reported, newer, created },
  };
}
