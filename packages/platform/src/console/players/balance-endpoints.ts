import { Type } from 'typebox';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, PlayerParams } from '../routing/fields.ts';

const Balance = Type.Object({
  key: Type.String({ description: 'real_money, bonus_money, or another one that the operator sends' }),
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
  summary: 'The last balances that the operator reported, one per key; always one page',
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: PageOf(Balance),
});
