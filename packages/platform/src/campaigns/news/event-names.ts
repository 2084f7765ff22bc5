import type { EventKind } from '@croupier/contracts';

/** Ledger kinds whose name in campaigns is that of the fact they make: the name that `did.<fact>` has. */
const named: Partial<Record<EventKind, string>> = {
  gameround: 'round',
  sports: 'bet',
  lottery: 'ticket',
  lottery_purchase: 'ticket',
};

/** How campaigns name an event: `entry: { event: round }`. */
export function eventName(kind: EventKind): string {
  return named[kind] ?? kind;
}
