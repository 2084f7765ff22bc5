/** Kinds of events, for filters. */
export const eventKinds = [
  'registration',
  'login',
  'logout',
  'user_update',
  'consents_update',
  'blocks_update',
  'payment',
  'casino',
  'gameround',
  'sports',
  'bonus',
  'cart',
  'lottery',
  'lottery_purchase',
  'balances',
  'custom',
  'funds_credited',
  'site_event',
  'message_event',
] as const;

/** The possible outcomes of an event. */
export const verdicts = [
  'applied',
  'repeat',
  'conflict',
  'orphan',
  'too_old',
  'parked',
  'unreadable',
  'pending',
] as const;
