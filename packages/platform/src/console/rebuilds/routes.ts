import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import {
  cancelRebuild,
  type ListedDifference,
  readDifference,
  readDifferences,
  readRebuild,
  readRebuilds,
  requestRebuild,
} from '../../derive/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const RebuildParams = Type.Object({
  brand: Type.String({ description: 'Code of the brand' }),
  rebuild_id: Type.Integer({ minimum: 1 }),
});

const Rebuild = Type.Object({
  rebuild_id: Type.Integer(),
  of: Type.Enum(['everything', 'brand', 'player']),
  user_id: Nullable(Type.String()),
  swap: Type.Boolean({ description: 'Rebuilt rows replace live rows that differ' }),
  phase: Type.Enum(['waiting', 'copying', 'recomputing', 'comparing', 'over']),
  outcome: Nullable(
    Type.String({ description: 'After it is over: done, cancelled, interrupted, or the reason of the failure' }),
  ),
  cancel_requested: Type.Boolean(),
  requested_at: Moment,
  started_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  buckets: Type.Object({ done: Type.Integer(), of: Type.Integer() }),
  events: Type.Integer({ description: 'Events applied from the ledger' }),
  players: Type.Integer({ description: 'Players compared so far' }),
  differences: Type.Integer({ description: 'Players whose live rows differ from the ledger' }),
  swapped: Type.Integer(),
  longest_pause_ms: Type.Integer({ description: 'Longest pause of the live pipeline while rows were exchanged' }),
  failures: Type.Array(Type.Object({ user_id: Type.String(), reason: Type.String() }), {
    description: 'Events that could not be applied',
  }),
  rollup_differences: Type.Array(
    Type.Object({
      table: Type.String(),
      day: Type.String(),
      rollup: Nullable(Type.Record(Type.String(), Type.Number())),
      players: Nullable(Type.Record(Type.String(), Type.Number())),
    }),
    { description: 'Days whose roll-up differs from the sum of the players' },
  ),
});

const difference = {
  player_id: Type.Integer(),
  user_id: Type.String(),
  tables: Type.Array(Type.String(), { description: 'Tables in which rows of the player differ' }),
  live_hash: Type.String(),
  rebuilt_hash: Type.String(),
  swapped: Type.Boolean(),
};

export const requestRebuildEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rebuilds',
  tag: 'Rebuilds',
  summary: 'Recompute derived state from the ledger in a separate schema, and compare it with the live state',
  description: 'A worker starts it within a few seconds, one at a time. New events are derived meanwhile.',
  may: 'state.rebuild',
  params: BrandParams,
  body: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1, description: 'Only this player' })),
      swap: Type.Optional(
        Type.Boolean({ description: 'Replace live rows that differ with rebuilt rows. Default: false' }),
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
  summary: 'Rebuilds of the brand and of everything, newest first',
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
  summary: 'One rebuild with its progress or result',
  may: 'brand.read',
  params: RebuildParams,
  status: 200,
  answer: Rebuild,
});

export const cancelRebuildEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/rebuilds/:rebuild_id/cancel',
  tag: 'Rebuilds',
  summary: 'Cancel a waiting or running rebuild, in any process. It stops within a few seconds',
  may: 'state.rebuild',
  conflict: 'The rebuild covers all brands. Cancel it where it was started',
  params: RebuildParams,
  body: Type.Optional(Type.Object({}, { additionalProperties: false })),
  status: 202,
  answer: Rebuild,
});

export const listDifferencesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/rebuilds/:rebuild_id/differences',
  tag: 'Rebuilds',
  summary: 'Players of the brand that differ, with both hashes; the first 10,000 of a rebuild',
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
  summary: 'Differences of one player: the rows that only one side has',
  may: 'personal.read',
  params: Type.Object({ ...RebuildParams.properties, user_id: Type.String({ minLength: 1 }) }),
  status: 200,
  answer: Type.Object({
    ...difference,
    rows: Nullable(
      Type.Record(Type.String(), Type.Object({ live: Rows, rebuilt: Rows }), {
        description: 'By table, at most 20 per side. Null: stored only for the first 100 players of a rebuild',
      }),
    ),
  }),
});

const byNumber = new CursorCodec('rebuilds', Type.Integer());
const byPlayer = new CursorCodec('rebuild-differences', Type.Integer());

export function rebuildRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const knownRebuild = async (brand: Brand, rebuildId: number) => {
    const row = await readRebuild(pool, rebuildId, brand.brand_id);
    if (row === undefined) throw notFound('rebuild', rebuildId);
    return row;
  };

  serve(app, requestRebuildEndpoint, async ({ access, brand, body }) => {
    const { user_id, swap = false } = body;
    const player_id = user_id === undefined ? null : (await knownPlayer(pool, brand, user_id)).player_id;
    return transaction(pool, async (tx) => {
      const rebuild_id = await requestRebuild(tx, { brand_id: brand.brand_id, player_id, swap, now: clock() });
      const details = { player_id, swap };
      await record(deps, access, { action: 'rebuild.requested', brand, subject: `rebuild ${rebuild_id}`, details }, tx);
      return { rebuild_id };
    });
  });

  serve(app, listRebuildsEndpoint, async ({ brand, query }) => {
    const before = byNumber.decode(query.cursor);
    const rows = await readRebuilds(pool, query.limit + 1, { brand_id: brand.brand_id, before });
    const { items, next } = pageFrom(rows, query.limit, (last) => byNumber.encode(last.rebuild_id));
    return { items: items.map((row) => present(row, brand)), next };
  });

  serve(app, showRebuildEndpoint, async ({ brand, params }) =>
    present(await knownRebuild(brand, params.rebuild_id), brand),
  );

  serve(app, cancelRebuildEndpoint, async ({ access, brand, params }) => {
    const { rebuild_id, brand_id } = await knownRebuild(brand, params.rebuild_id);
    if (brand_id === null)
      throw new Refused('conflict', {
        en: 'cancel a rebuild of everything where it was started',
        de: 'Brechen Sie eine Neuberechnung von allem dort ab, wo sie begonnen wurde',
      });
    await transaction(pool, async (tx) => {
      await cancelRebuild(tx, rebuild_id, clock());
      await record(deps, access, { action: 'rebuild.cancelled', brand, subject: `rebuild ${rebuild_id}` }, tx);
    });
    return present(await knownRebuild(brand, rebuild_id), brand);
  });

  serve(app, listDifferencesEndpoint, async ({ brand, params, query }) => {
    const { rebuild_id } = await knownRebuild(brand, params.rebuild_id);
    const after = byPlayer.decode(query.cursor);
    const rows = await readDifferences(pool, rebuild_id, query.limit + 1, { brand_id: brand.brand_id, after });
    const { items, next } = pageFrom(rows, query.limit, (last) => byPlayer.encode(last.player_id));
    return { items: items.map(presentDifference), next };
  });

  serve(app, showDifferenceEndpoint, async ({ brand, params }) => {
    const { rebuild_id } = await knownRebuild(brand, params.rebuild_id);
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const found = await readDifference(pool, rebuild_id, player_id);
    if (found === undefined)
      throw new Refused('not_found', {
        en: `${params.user_id} has no difference in rebuild ${rebuild_id}`,
        de: `${params.user_id} hat in der Neuberechnung ${rebuild_id} keinen Unterschied`,
      });
    return { ...presentDifference(found), rows: found.rows };
  });
}

type Row = NonNullable<Awaited<ReturnType<typeof readRebuild>>>;

function present(row: Row, brand: Brand) {
  const { brand_id, player_id, buckets_done, buckets_of, requested_at, started_at, finished_at, ...rest } = row;
  const of = brand_id === null ? 'everything' : player_id === null ? 'brand' : 'player';
  return {
    ...rest,
    of: of as 'everything' | 'brand' | 'player',
    requested_at: momentText(requested_at),
    started_at: momentTextOrNull(started_at),
    finished_at: momentTextOrNull(finished_at),
    buckets: { done: buckets_done, of: buckets_of },
    // The failures of a rebuild of everything are omitted, because they also contain players of other brands.
    failures: brand_id === null ? [] : rest.failures,
    rollup_differences: rest.rollup_differences.filter((one) => one.brand_id === brand.brand_id),
  };
}

function presentDifference({ live, rebuilt, player_id, user_id, tables, swapped }: ListedDifference) {
  return { player_id, user_id, tables, swapped, live_hash: live, rebuilt_hash: rebuilt };
}
