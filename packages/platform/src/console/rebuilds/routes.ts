import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
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
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  cancelRebuildEndpoint,
  listDifferencesEndpoint,
  listRebuildsEndpoint,
  requestRebuildEndpoint,
  showDifferenceEndpoint,
  showRebuildEndpoint,
} from './endpoints.ts';

const byNumber = new CursorCodec('rebuilds', Type.Integer());
const byPlayer = new CursorCodec('rebuild-differences', Type.Integer());

export function rebuildRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const knownRebuild = async (brand: Brand, rebuildId: number) => {
    const row = await readRebuild(pool, rebuildId, brand.brand_id);
    if (row === undefined) throw new Refused('not_found', `the brand has no rebuild ${rebuildId}`);
    return row;
  };

  serve(app, requestRebuildEndpoint, async ({ access, brand, body }) => {
    const { user_id, swap = false } = body;
    const player_id = user_id === undefined ? null : (await knownPlayer(pool, brand, user_id)).player_id;
    const rebuild_id = await requestRebuild(pool, { brand_id: brand.brand_id, player_id, swap, now: clock() });
    const details = { player_id, swap };
    await record(deps, access, { action: 'rebuild.requested', brand, subject: `rebuild ${rebuild_id}`, details });
    return { rebuild_id };
  });

  serve(app, listRebuildsEndpoint, async ({ brand, query }) => {
    const before = query.cursor === undefined ? undefined : byNumber.decode(query.cursor);
    const rows = await readRebuilds(pool, query.limit + 1, { brand_id: brand.brand_id, before });
    const { items, next } = pageFrom(rows, query.limit, (last) => byNumber.encode(last.rebuild_id));
    return { items: items.map((row) => present(row, brand)), next };
  });

  serve(app, showRebuildEndpoint, async ({ brand, params }) =>
    present(await knownRebuild(brand, params.rebuild_id), brand),
  );

  serve(app, cancelRebuildEndpoint, async ({ access, brand, params }) => {
    const { rebuild_id, brand_id } = await knownRebuild(brand, params.rebuild_id);
    if (brand_id === null) throw new Refused('conflict', 'a rebuild of everything is cancelled where it was started');
    await cancelRebuild(pool, rebuild_id, clock());
    await record(deps, access, { action: 'rebuild.cancelled', brand, subject: `rebuild ${rebuild_id}` });
    return present(await knownRebuild(brand, rebuild_id), brand);
  });

  serve(app, listDifferencesEndpoint, async ({ brand, params, query }) => {
    const { rebuild_id } = await knownRebuild(brand, params.rebuild_id);
    const after = query.cursor === undefined ? undefined : byPlayer.decode(query.cursor);
    const rows = await readDifferences(pool, rebuild_id, query.limit + 1, { brand_id: brand.brand_id, after });
    const { items, next } = pageFrom(rows, query.limit, (last) => byPlayer.encode(last.player_id));
    return { items: items.map(presentDifference), next };
  });

  serve(app, showDifferenceEndpoint, async ({ brand, params }) => {
    const { rebuild_id } = await knownRebuild(brand, params.rebuild_id);
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const found = await readDifference(pool, rebuild_id, player_id);
    if (found === undefined)
      throw new Refused('not_found', `${params.user_id} did not differ in rebuild ${rebuild_id}`);
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
    // Those of a rebuild of everything tell of other brands' players.
    failures: brand_id === null ? [] : rest.failures,
    rollup_differences: rest.rollup_differences.filter((one) => one.brand_id === brand.brand_id),
  };
}

function presentDifference({ live, rebuilt, player_id, user_id, tables, swapped }: ListedDifference) {
  return { player_id, user_id, tables, swapped, live_hash: live, rebuilt_hash: rebuilt };
}
