import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

const RebuildParams = Type.Object({
  brand: Type.String({ description: 'Code of the brand' }),
  rebuild_id: Type.Integer({ minimum: 1 }),
});

const Rebuild = Type.Object({
  rebuild_id: Type.Integer(),
  of: Type.Enum(['everything', 'brand', 'player']),
  user_id: Nullable(Type.String()),
  swap: Type.Boolean({ description: 'Rebuilt rows take the place of live ones that differ' }),
  phase: Type.Enum(['waiting', 'copying', 'recomputing', 'comparing', 'over']),
  outcome: Nullable(Type.String({ description: 'Once it is over: done, cancelled, interrupted, or why it failed' })),
  cancel_requested: Type.Boolean(),
  requested_at: Moment,
  started_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  buckets: Type.Object({ done: Type.Integer(), of: Type.Integer() }),
  events: Type.Integer({ description: 'Applied anew from the ledger' }),
  players: Type.Integer({ description: 'Compared' }),
  differences: Type.Integer({ description: 'Players whose live rows are not what the ledger says' }),
  swapped: Type.Integer(),
  longest_pause_ms: Type.Integer({ description: 'For so long an exchange held the live pipeline off, at most' }),
  failures: Type.Array(Type.Object({ user_id: Type.String(), reason: Type.String() }), {
    description: 'Events that could not be applied anew',
  }),
  rollup_differences: Type.Array(
    Type.Object({
      table: Type.String(),
      day: Type.String(),
      rollup: Nullable(Type.Record(Type.String(), Type.Number())),
      players: Nullable(Type.Record(Type.String(), Type.Number())),
    }),
    { description: 'Days of which the roll-up is not the sum of the players' },
  ),
});

const difference = {
  player_id: Type.Integer(),
  user_id: Type.String(),
  tables: Type.Array(Type.String(), { description: 'Those whose rows differ' }),
  live_hash: Type.String(),
  rebuilt_hash: Type.String(),
  swapped: Type.Boolean(),
};

export const requestRebuildEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rebuilds',
  tag: 'Rebuilds',
  summary: 'Recompute derived state from the ledger beside the live one, and compare the two',
  description: 'A worker takes it within a few seconds, one at a time. Events go on being derived meanwhile.',
  may: 'state.rebuild',
  params: BrandParams,
  body: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1, description: 'This player only' })),
      swap: Type.Optional(
        Type.Boolean({ description: 'Put rebuilt rows in the place of those that differ. Default: false' }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({ rebuild_id: Type.Integer() }),
});

export const listRebuildsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rebuilds',
  tag: 'Rebuilds',
  summary: 'Rebuilds of the brand, and those of everything, the newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Rebuild),
});

export const showRebuildEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rebuilds/:rebuild_id',
  tag: 'Rebuilds',
  summary: 'How far a rebuild has come, or how it ended',
  may: 'brand.read',
  params: RebuildParams,
  status: 200,
  answer: Rebuild,
});

export const cancelRebuildEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rebuilds/:rebuild_id/cancel',
  tag: 'Rebuilds',
  summary: 'Cancel a rebuild that waits or runs, wherever it runs; it stops within a few seconds',
  may: 'state.rebuild',
  conflict: 'The rebuild covers all brands: it is cancelled where it was started',
  params: RebuildParams,
  body: Type.Optional(Type.Object({}, { additionalProperties: false })),
  status: 202,
  answer: Rebuild,
});

export const listDifferencesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rebuilds/:rebuild_id/differences',
  tag: 'Rebuilds',
  summary: 'Players of the brand that differ, with both hashes: the first 10,000 of a rebuild',
  may: 'player.read',
  params: RebuildParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Type.Object(difference)),
});

const Rows = Type.Array(Type.Unknown());

export const showDifferenceEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rebuilds/:rebuild_id/differences/:user_id',
  tag: 'Rebuilds',
  summary: 'What differs of one player: the rows that only one side has',
  may: 'personal.read',
  params: Type.Object({ ...RebuildParams.properties, user_id: Type.String({ minLength: 1 }) }),
  status: 200,
  answer: Type.Object({
    ...difference,
    rows: Nullable(
      Type.Record(Type.String(), Type.Object({ live: Rows, rebuilt: Rows }), {
        description: 'By table, at most 20 of each side. Null: kept only of the first 100 players of a rebuild',
      }),
    ),
  }),
});
