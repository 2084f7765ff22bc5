import type { FastifyInstance } from 'fastify';
import { transaction } from '../../database/index.ts';
import { changeConsents } from '../../operator/writeback/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { changeConsentsEndpoint } from './consent-endpoints.ts';
import { knownPlayer } from './known-player.ts';

export function consentRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, changeConsentsEndpoint, async ({ access, brand, params, body }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const { changes, note } = body;
    const { brand_id } = brand;
    return transaction(pool, async (tx) => {
      const change = { brand_id, player_id, changes, note, source: 'staff', at: clock() } as const;
      const { change_id } = await changeConsents(tx, change);
      // The note may say something about the player, so it stands with the change, which can be erased.
      const details = { change_id, changes };
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.consents_changed', brand, subject, details }, tx);
      return { change_id };
    });
  });
}
