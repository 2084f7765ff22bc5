import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Nullable, PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { presentBlock, presentProfile } from './present-player.ts';
import { Block, Profile } from './schemas.ts';

/** Minimum number of characters. A shorter reason explains nothing. */
const shortestReason = 5;

export const revealPlayer = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/reveal',
  tag: 'Players',
  summary: 'Show the personal data of one player. Requires a reason, which the audit records',
  description:
    'The profile and the notes of blocks without a mask. The audit entry is written before the answer is sent. If it cannot be written, nothing is returned.',
  may: 'personal.reveal',
  params: PlayerParams,
  body: Type.Object(
    {
      reason: Type.String({
        minLength: shortestReason,
        maxLength: 300,
        description:
          'Why the data is needed. Other people can read it in the audit, so it must not contain personal data',
        examples: ['The player called about a payment, ticket 4711'],
      }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object({ user_id: Type.String(), profile: Nullable(Profile), blocks: Type.Array(Block) }),
});

export function revealRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  serve(app, revealPlayer, async ({ access, brand, params, body }) => {
    const { player_id, user_id } = await knownPlayer(deps.pool, brand, params.user_id);
    const { profile, blocks } = await readSyncedPlayer(deps.pool, player_id);
    const details = { reason: body.reason };
    await record(deps, access, { action: 'player.revealed', brand, subject: `player ${player_id}`, details });
    return {
      user_id,
      profile: profile && presentProfile(profile, true),
      blocks: blocks.map((block) => presentBlock(block, true)),
    };
  });
}
