import type { ClientBase } from 'pg';
import type { DerivedEvent } from './event.ts';
import type { FactOfEvent } from './event-fact.ts';
import { balanceOfEvent } from './families/balances/index.ts';
import { bonusOfEvent } from './families/bonuses/index.ts';
import { cartOfEvent } from './families/carts/index.ts';
import { purchaseOfEvent, ticketOfEvent } from './families/lottery/index.ts';
import { paymentOfEvent } from './families/payments/index.ts';
import { roundOfEvent } from './families/rounds/index.ts';
import { betOfEvent } from './families/sports/index.ts';

/**
 * The live fact that an event belongs to, for people who look at a conflict or an orphan. Undefined for kinds that have
 * neither, and for a fact that is no longer stored.
 */
export async function factOfEvent(
  db: Pick<ClientBase, 'query'>,
  source: DerivedEvent,
): Promise<FactOfEvent | undefined> {
  if (isOf(source, 'payment')) return paymentOfEvent(db, source);
  if (isOf(source, 'casino') || isOf(source, 'gameround')) return roundOfEvent(db, source);
  if (isOf(source, 'sports')) return betOfEvent(db, source);
  if (isOf(source, 'lottery_purchase')) return purchaseOfEvent(db, source);
  if (isOf(source, 'lottery')) return ticketOfEvent(db, source);
  if (isOf(source, 'bonus')) return bonusOfEvent(db, source);
  if (isOf(source, 'cart')) return cartOfEvent(db, source);
  if (isOf(source, 'balances')) return balanceOfEvent(db, source);
  return undefined;
}

function isOf<K extends DerivedEvent['event']['kind']>(source: DerivedEvent, kind: K): source is DerivedEvent<K> {
  return source.event.kind === kind;
}
