import type { TObject } from 'typebox';
import { messages } from './events/index.ts';
import type { OperatorEventKind } from './kinds.ts';

/** One event endpoint of the integration API. */
export interface Endpoint {
  readonly kind: OperatorEventKind;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly summary: string;
  readonly schema: TObject;
}

/**
 * The 13 endpoints of docs/reference/interface.md, Endpoints B, then the three further ones of
 * docs/reference/decisions.md 1.
 */
export const endpoints: readonly Endpoint[] = [
  endpoint('registration', 'POST', '/v2/integration/user', 'Registration of a player'),
  endpoint('login', 'POST', '/v2/integration/login', 'Login of a player'),
  endpoint('user_update', 'PUT', '/v2/integration/user', 'The player changed: details, consents or blocks'),
  endpoint('consents_update', 'PUT', '/v2/integration/user/consents', 'Consents of the player changed'),
  endpoint('blocks_update', 'PUT', '/v2/integration/user/blocks', 'Blocks of the player changed'),
  endpoint('payment', 'POST', '/v1/integration/payment', 'Deposit or withdrawal'),
  endpoint('lottery_purchase', 'POST', '/v1/integration/lottery', 'Lottery purchase, complete in one message'),
  endpoint('lottery', 'POST', '/v2/integration/lottery', 'Lottery bet, or its settlement'),
  endpoint('casino', 'POST', '/v1/integration/casino', 'Casino bet or win'),
  endpoint('bonus', 'POST', '/v1/integration/bonus', "A bonus's status changed"),
  endpoint('gameround', 'POST', '/v1/integration/gameround', 'Finished game round, consolidated'),
  endpoint('sports', 'POST', '/v1/integration/sports', 'Sportsbook bet, cashout or settlement'),
  endpoint('cart', 'POST', '/v1/integration/cart', 'Cart event'),
  endpoint('logout', 'POST', '/v2/integration/logout', 'Logout of a player'),
  endpoint('balances', 'POST', '/v1/integration/user/balances', 'Balances of the player'),
  endpoint('custom', 'POST', '/v1/integration/custom', 'Custom event that the operator defines'),
];

function endpoint(kind: OperatorEventKind, method: Endpoint['method'], path: string, summary: string): Endpoint {
  return { kind, method, path, summary, schema: messages[kind].schema };
}
