import { bet } from './bet.ts';
import { bonus } from './bonus.ts';
import { cart } from './cart.ts';
import type { FactReading } from './fact.ts';
import { login } from './login.ts';
import { message } from './message.ts';
import { messageEvent } from './message-event.ts';
import { custom, siteEvent } from './named-event.ts';
import { payment } from './payment.ts';
import { round } from './round.ts';
import { ticket } from './ticket.ts';

/** Every kind of fact that rules count, by name. */
export function factReadings(baseCurrency: string): ReadonlyMap<string, FactReading> {
  const all = [payment, login, round, bet, ticket, bonus, cart, custom, siteEvent, message, messageEvent];
  return new Map(all.map((reading) => reading(baseCurrency)).map((fact) => [fact.kind.name, fact]));
}
