/** The kinds of events that operators publish: the 13 endpoints of docs/reference/interface.md, Endpoints B and three further ones (docs/reference/decisions.md 1). */
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

/**
 * Events that the platform itself writes to the ledger: what it did, what pages of players told it (`site_event`), and what came back about
 * messages (`message_event`). They have no endpoint of the integration API, so no operator can send one, and a page can send no event of the
 * operator's.
 */
export const ownEventKinds = ['funds_credited', 'site_event', 'message_event'] as const;

export type OwnEventKind = (typeof ownEventKinds)[number];

/** Every kind of event that the ledger may hold. */
export const eventKinds = [...operatorEventKinds, ...ownEventKinds] as const;

export type EventKind = OperatorEventKind | OwnEventKind;

/**
 * Events by which the operator says that what protects the player may have changed (docs/reference/decisions.md 7). A login is not one of them: it
 * only causes a refresh.
 */
const protectionKinds: ReadonlySet<EventKind> = new Set([
  'registration',
  'user_update',
  'consents_update',
  'blocks_update',
]);

/** Whether an event of this kind can change consents, blocks or exclusions of its player. */
export function changesProtection(kind: EventKind): boolean {
  return protectionKinds.has(kind);
}
