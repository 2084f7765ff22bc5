/**
 * The kinds of events that operators publish: the 13 endpoints of docs/reference/interface.md, Endpoints B and three
 * further ones (docs/reference/decisions.md 1).
 */
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
 * Events that the platform itself writes to the ledger: its own actions, reports from pages of players (`site_event`),
 * and reports about messages (`message_event`). They have no endpoint of the integration API, so operators cannot send
 * them, and pages cannot send operator events.
 */
export const ownEventKinds = ['funds_credited', 'site_event', 'message_event'] as const;

export type OwnEventKind = (typeof ownEventKinds)[number];

/** All kinds of events that the ledger may contain. */
export const eventKinds = [...operatorEventKinds, ...ownEventKinds] as const;

export type EventKind = OperatorEventKind | OwnEventKind;

/**
 * Events by which the operator says that the player's protection may have changed (docs/reference/decisions.md 7). A
 * login is not one of them: it only causes a refresh.
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
