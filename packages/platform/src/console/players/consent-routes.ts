import { consentTypes } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { changeConsents } from '../../operator/writeback/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

export const changeConsentsEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/consents',
  tag: 'Players',
  summary: 'Change consents of a player, immediately in the platform and then at the operator',
  description:
    'Every decision after the answer uses the new values. Only the given types change. `write-backs` of the player shows when the operator has stored them.',
  may: 'player.protect',
  params: PlayerParams,
  body: Type.Object(
    {
      changes: Type.Array(
        Type.Object({ type: Type.Enum([...consentTypes]), opted_in: Type.Boolean() }, { additionalProperties: false }),
        { minItems: 1, maxItems: consentTypes.length },
      ),
      note: Type.String({ minLength: 1, maxLength: 2_000, description: 'Reason, for the record' }),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({ change_id: Type.Integer() }),
});

export function consentRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, changeConsentsEndpoint, async ({ access, brand, params, body }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const { changes, note } = body;
    const { brand_id } = brand;
    return transaction(pool, async (tx) => {
      const change = { brand_id, player_id, changes, note, source: 'staff', at: clock() } as const;
      const { change_id } = await changeConsents(tx, change);
      // The note may contain personal data. So it is not in the audit, but stored with the change, which can be erased.
      const details = { change_id, changes };
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.consents_changed', brand, subject, details }, tx);
      return { change_id };
    });
  });
}
