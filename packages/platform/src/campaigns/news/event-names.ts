import type { EventKind } from '@croupier/contracts';

/** Ledger kinds that campaigns name after the fact they create, with the name used in `did.<fact>`. */
const named: Partial<Record<EventKind, string>> = {
  gameround: 'round',
  sports: 'bet',
  lottery: 'ticket',
  lottery_purchase: 'ticket',
};

/** The name of an event in campaigns: `entry: { event: round }`. */
export function eventName(kind: EventKind): string {
  return named[kind] ?? kind;
}
