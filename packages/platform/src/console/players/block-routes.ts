import { blockTypes } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { setBlock } from '../../operator/writeback/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

export const setBlockEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/blocks',
  tag: 'Players',
  summary: 'Set or remove a block of a player',
  description:
    'A new block takes effect with the answer. A removed block stays in effect until a look-up, which starts immediately, finds it neither in the platform nor at the operator. With the brand setting `operator.write_blocks`, both changes are sent to the operator.',
  may: 'player.protect',
  params: PlayerParams,
  body: Type.Object(
    {
      type: Type.Enum([...blockTypes]),
      active: Type.Boolean(),
      note: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Reason. It is sent to the operator with the block',
      }),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({ change_id: Type.Integer() }),
});

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
