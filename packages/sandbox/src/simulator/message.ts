import type { Micros, OperatorEventKind } from '@croupier/contracts';

/**
 * The method and path to which each kind of event is published (docs/reference/interface.md, Endpoints B;
 * docs/reference/decisions.md 1, "Further events").
 */
export const destinations: Record<OperatorEventKind, { method: 'POST' | 'PUT'; path: string }> = {
  registration: { method: 'POST', path: '/v2/integration/user' },
  login: { method: 'POST', path: '/v2/integration/login' },
  logout: { method: 'POST', path: '/v2/integration/logout' },
  user_update: { method: 'PUT', path: '/v2/integration/user' },
  consents_update: { method: 'PUT', path: '/v2/integration/user/consents' },
  blocks_update: { method: 'PUT', path: '/v2/integration/user/blocks' },
  balances: { method: 'POST', path: '/v1/integration/user/balances' },
  payment: { method: 'POST', path: '/v1/integration/payment' },
  casino: { method: 'POST', path: '/v1/integration/casino' },
  gameround: { method: 'POST', path: '/v1/integration/gameround' },
  bonus: { method: 'POST', path: '/v1/integration/bonus' },
  lottery_purchase: { method: 'POST', path: '/v1/integration/lottery' },
  lottery: { method: 'POST', path: '/v2/integration/lottery' },
  sports: { method: 'POST', path: '/v1/integration/sports' },
  cart: { method: 'POST', path: '/v1/integration/cart' },
  custom: { method: 'POST', path: '/v1/integration/custom' },
};

/**
 * The role of a message, which only its sender knows:
 *   event      something happened, published for the first time
 *   retry      the same event again, with equal content
 *   restamped  the same event again with a new timestamp
 *   conflict   the key of an earlier event, with other money
 *   orphan     a correction of something that was never published
 *   invalid    broken; must be refused or quarantined, and has no effect
 */
export const labels = ['event', 'retry', 'restamped', 'conflict', 'orphan', 'invalid'] as const;
export type Label = (typeof labels)[number];

export interface Message {
  /** Order of creation, from 1. A retry has its own number. */
  number: number;
  method: 'POST' | 'PUT';
  path: string;
  body: string;
  kind: OperatorEventKind;
  label: Label;
  user_id: string;
  /** When it is sent, in the simulation's time. */
  at: Micros;
  /** The number of the message that this one repeats. */
  repeats?: number;
}

export type Body = Record<string, unknown>;
