/** The kinds of events that operators publish: the 13 endpoints of interface.md section B and three further ones (decisions.md 1). */
export const operatorEventKinds = [
  'registration',
  'login',
  'user_update',
  'consents_update',
  'blocks_update',
  'payment',
  'lottery_purchase',
  'lottery',
  'casino',
  'bonus',
  'gameround',
  'sports',
  'cart',
  'logout',
  'balances',
  'custom',
] as const;

export type OperatorEventKind = (typeof operatorEventKinds)[number];

/** Events of the platform's own: what it did, told to the ledger by itself. They have no endpoint, so nobody else can send one. */
export const ownEventKinds = ['funds_credited'] as const;

export type OwnEventKind = (typeof ownEventKinds)[number];

/** Every kind of event that the ledger may hold. */
export const eventKinds = [...operatorEventKinds, ...ownEventKinds] as const;

export type EventKind = OperatorEventKind | OwnEventKind;
