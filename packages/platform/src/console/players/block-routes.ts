import type { FastifyInstance } from 'fastify';
import { transaction } from '../../database/index.ts';
import { setBlock } from '../../operator/writeback/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { setBlockEndpoint } from './block-endpoints.ts';
import { knownPlayer } from './known-player.ts';

export function blockRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, setBlockEndpoint, async ({ access, brand, params, body }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const { brand_id, operator } = brand;
    const write_back = operator?.write_blocks === true;
    return transaction(pool, async (tx) => {
      const change = { brand_id, player_id, ...body, source: 'staff', at: clock(), write_back } as const;
      const { change_id } = await setBlock(tx, change);
      const details = { change_id, type: body.type, active: body.active };
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.block_changed', brand, subject, details }, tx);
      return { change_id };
    });
  });
}
