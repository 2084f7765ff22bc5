import { reconciliationFields } from '@croupier/contracts';
import { Type } from 'typebox';
import { driftActions, mostDriftListed, reconciliationStates } from '../../operator/reconciliation/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

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
      description: 'Of one that is held: empty, shorter. Of one that failed: why. Of a superseded one: expired',
    }),
  ),
  detail: Nullable(Type.String({ description: 'The reason in words, those of the operator included' })),
  cancel_requested: Type.Boolean(),
  requested_at: Moment,
  started_at: Nullable(Moment),
  applied_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  result_timestamp: Nullable(Type.String({ format: 'date-time', description: "The operator's time of the result" })),
  as_of: Nullable(Type.String({ format: 'date-time', description: 'Facts younger than this were left alone' })),
  progress: Type.Object({
    step: Nullable(Type.Enum(['players', 'look_ups', 'unknown'])),
    bytes: Type.Integer({ description: 'Of the answer, read so far' }),
    ids_read: Type.Integer(),
    ids: Nullable(Type.Integer({ description: 'Different ids of the complete list' })),
    ids_before: Nullable(Type.Integer({ description: 'Of the last list of this field that was applied' })),
    compared: Type.Integer({ description: 'Players of the brand' }),
    looked_up: Type.Integer({ description: 'Players for whom the look-ups of `to_look_up` were asked' }),
  }),
  drift: Type.Object({
    tightened: Type.Integer({ description: 'Blocked, excluded, or a consent withdrawn' }),
    to_look_up: Type.Integer({ description: 'The list would loosen: a look-up decides' }),
    reported: Type.Integer({ description: 'Of `active`: nothing follows' }),
    newer: Type.Integer({ description: 'What we hold is younger than the result, or a change of ours on its way' }),
    created: Type.Integer({ description: 'Ids that we did not know' }),
  }),
});

export const requestReconciliations = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations',
  tag: 'Reconciliations',
  summary: 'Compare user sets with the operator now',
  description:
    'A worker takes them within a second, one at a time. A field of which a run is under way gets no second one.',
  may: 'player.reconcile',
  conflict: 'The brand has no operator to compare with',
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
  summary: 'Runs of the brand with their progress and differences, the newest first',
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
  summary: 'How far a run has come, or how it ended',
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
  summary: 'Cancel a run; it stops within a few seconds, and what it tightened stays',
  may: 'player.reconcile',
  conflict: 'The run is over already',
  params: RunParams,
  body: noBody,
  status: 202,
  answer: Reconciliation,
});

export const approveReconciliation = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations/:reconciliation_id/approve',
  tag: 'Reconciliations',
  summary: 'Apply a list that is held because it is empty or a fifth shorter than the last one',
  may: 'player.reconcile',
  conflict: 'The list is not held, or another reconciliation of the operator is under way',
  params: RunParams,
  body: noBody,
  status: 202,
  answer: Reconciliation,
});

export const rejectReconciliation = endpoint({
  method: 'POST',
  path: '/brands/:brand/reconciliations/:reconciliation_id/reject',
  tag: 'Reconciliations',
  summary: 'Refuse a list that is held; nothing of it is applied',
  may: 'player.reconcile',
  conflict: 'The list is not held, or another reconciliation of the operator is under way',
  params: RunParams,
  body: noBody,
  status: 200,
  answer: Reconciliation,
});

export const listDrift = endpoint({
  method: 'GET',
  path: '/brands/:brand/reconciliations/:reconciliation_id/drift',
  tag: 'Reconciliations',
  summary: 'Who differed, which way, since when, and what was done',
  description: `The first ${mostDriftListed.toLocaleString('en')} players of a run, for 90 days; its counts know all of them. Erased players are left out.`,
  may: 'player.read',
  params: RunParams,
  query: Type.Object({ ...pageQuery, done: Type.Optional(Done) }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(
    Type.Object({
      player_id: Type.Integer(),
      user_id: Type.String(),
      we_say: Nullable(Type.Boolean({ description: 'Null: unknown to us' })),
      they_say: Type.Boolean(),
      since: Nullable(Type.String({ format: 'date-time', description: 'Since when we say so' })),
      done: Done,
    }),
  ),
});
