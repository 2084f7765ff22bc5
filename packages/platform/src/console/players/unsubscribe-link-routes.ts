import type { ConsentType } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { LinkForm } from '../../hosted/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';
import { linkChannels, unsubscribeLinkEndpoint } from './unsubscribe-link-endpoints.ts';

export function unsubscribeLinkRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, links } = deps;
  const byName: Readonly<Record<string, ConsentType>> = linkChannels;

  serve(app, unsubscribeLinkEndpoint, async ({ access, brand, params, body }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const channel = byName[body.channel] ?? (body.channel as ConsentType);
    const url = links.link({ brand_id: brand.brand_id, player_id, channel }, body.form as LinkForm | undefined);
    // The link itself stays out of the audit: it is a capability.
    const details = { channel };
    await record(deps, access, {
      action: 'player.unsubscribe_link_read',
      brand,
      subject: `player ${player_id}`,
      details,
    });
    return { url };
  });
}
