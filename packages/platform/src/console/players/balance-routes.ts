import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listBalances } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, momentText, PlayerParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { knownPlayer } from './known-player.ts';

const Balance = Type.Object({
  key: Type.String({ description: 'real_money, bonus_money, or another key that the operator sends' }),
  amount: Money,
  currency: Type.String(),
  exchange_rate: Money,
  base_amount: Money,
  timestamp: Moment,
  origin: Type.String(),
});

export const listBalancesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/balances',
  tag: 'Players',
  summary: 'The latest balances that the operator reported, one per key. Always one page',
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: PageOf(Balance),
});

export function balanceRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listBalancesEndpoint, async ({ brand, params }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const balances = await listBalances(pool, player.player_id);
    return { items: balances.map(({ at, ...balance }) => ({ ...balance, timestamp: momentText(at) })), next: null };
  });
}
