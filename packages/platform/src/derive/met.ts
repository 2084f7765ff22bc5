import type { ClientBase } from 'pg';
import type { DerivedEvent } from './event.ts';
import { metBalance } from './families/balances/index.ts';
import { metBonus } from './families/bonuses/index.ts';
import { metCart } from './families/carts/index.ts';
import { metPurchase, metTicket } from './families/lottery/index.ts';
import { metPayment } from './families/payments/index.ts';
import { metRound } from './families/rounds/index.ts';
import { metBet } from './families/sports/index.ts';
import type { MetFact } from './met-fact.ts';

/**
 * The live fact that an event belongs to, for people who look at a conflict or an orphan. Undefined for kinds that have neither,
 * and for a fact that is no longer kept.
 */
export async function metFact(db: Pick<ClientBase, 'query'>, source: DerivedEvent): Promise<MetFact | undefined> {
  if (isOf(source, 'payment')) return metPayment(db, source);
  if (isOf(source, 'casino') || isOf(source, 'gameround')) return metRound(db, source);
  if (isOf(source, 'sports')) return metBet(db, source);
  if (isOf(source, 'lottery_purchase')) return metPurchase(db, source);
  if (isOf(source, 'lottery')) return metTicket(db, source);
  if (isOf(source, 'bonus')) return metBonus(db, source);
  if (isOf(source, 'cart')) return metCart(db, source);
  if (isOf(source, 'balances')) return metBalance(db, source);
  return undefined;
}

function isOf<K extends DerivedEvent['event']['kind']>(source: DerivedEvent, kind: K): source is DerivedEvent<K> {
  return source.event.kind === kind;
}
