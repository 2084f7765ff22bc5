import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { playerHash } from '../../ledger/index.ts';
import { cancelErasure, type ErasureRow, exportPlayer, readErasures, requestErasure } from '../../privacy/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  cancelErasureEndpoint,
  exportPlayerEndpoint,
  listErasuresEndpoint,
  requestErasureEndpoint,
} from './endpoints.ts';

const byNumber = new CursorCodec('erasures', Type.Integer());

export function privacyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, brands, ledger } = deps;

  serve(app, requestErasureEndpoint, async ({ access, brand, params, body }) => {
    const { user_id } = params;
    const { confirm, force = false } = body;
    if (confirm !== user_id) {
      const message = 'confirm must be the user_id of the path: an erasure cannot be taken back';
      throw new Refused('invalid_request', message, { errors: [{ path: 'confirm', rule: 'equal', message }] });
    }
    const { player_id } = await knownPlayer(pool, brand, user_id);
    // One transaction: an erasure that nobody is known to have asked for does not begin.
    return transaction(pool, async (tx) => {
      const asked = { brand_id: brand.brand_id, player_id, user_id, forced: force, at: clock() };
      const erasure = await requestErasure(tx, brands, asked);
      const details = { erasure_id: erasure.erasure_id, user_key: erasure.user_key.toString('base64'), forced: force };
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.erasure_requested', brand, subject, details }, tx);
      return present(erasure);
    });
  });

  serve(app, listErasuresEndpoint, async ({ brand, query }) => {
    const before = query.cursor === undefined ? null : byNumber.decode(query.cursor);
    const rows = await readErasures(pool, brand.brand_id, { limit: query.limit + 1, before });
    const { items, next } = pageFrom(rows, query.limit, (last) => byNumber.encode(last.erasure_id));
    return { items: items.map(present), next };
  });

  serve(app, cancelErasureEndpoint, ({ access, brand, params }) =>
    transaction(pool, async (tx) => {
      const { erasure_id } = params;
      const erasure = await cancelErasure(tx, brand.brand_id, erasure_id, clock());
      if (erasure === undefined) throw new Refused('conflict', `there is no erasure ${erasure_id} that has not begun`);
      const subject = `player ${erasure.player_id}`;
      await record(deps, access, { action: 'player.erasure_cancelled', brand, subject, details: { erasure_id } }, tx);
      return present(erasure);
    }),
  );

  serve(app, exportPlayerEndpoint, async ({ access, brand, params }) => {
    const { player_id, user_id } = await knownPlayer(pool, brand, params.user_id);
    const { brand_id } = brand;
    const subject = { brand_id, player_id, user_id, player_hash: playerHash(brand_id, user_id) };
    await record(deps, access, { action: 'player.exported', brand, subject: `player ${player_id}` });
    return Readable.from(exportPlayer({ pool, ledger }, brand, subject, momentText(clock())));
  });
}

function present({ brand_id: _, user_key, requested_at, closed_at, finished_at, ...erasure }: ErasureRow) {
  return {
    ...erasure,
    user_key: user_key.toString('base64'),
    requested_at: momentText(requested_at),
    closed_at: momentTextOrNull(closed_at),
    finished_at: momentTextOrNull(finished_at),
  };
}
