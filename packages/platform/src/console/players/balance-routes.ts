import type { FastifyInstance } from 'fastify';
import { listBalances } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listBalancesEndpoint } from './balance-endpoints.ts';
import { knownPlayer } from './known-player.ts';

export function balanceRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBalancesEndpoint, async ({ brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const balances = await listBalances(pool, player.player_id);
    return { items: balances.map(({ at, ...balance }) => ({ ...balance, timestamp: momentText(at) })), next: null };
  });
}
