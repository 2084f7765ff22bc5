/** The kinds of events that operators publish: the 13 endpoints of interface.md section B and three further ones (decisions.md 1). */
export const eventKinds = [
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

export type EventKind = (typeof eventKinds)[number];
