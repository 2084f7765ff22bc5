import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { type Arrival, decide, keyOf, purchaseArrival, ticketArrival } from './decide.ts';
import { drawCatalogue, toldOfDraws } from './draws.ts';
import {
  countedBetsAndWins,
  countedWithin,
  type FactRef,
  loadPurchases,
  loadTickets,
  savePurchases,
  saveTickets,
} from './store.ts';

export const lotteryTotals = totalsOf({
  family: 'lottery',
  by: ['lottery_id'],
  counts: ['bet_count', 'win_count', 'ticket_count', 'line_count', 'winning_line_count'],
  sums: [
    ...['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum', 'real_win_sum', 'bonus_win_sum', 'locked_win_sum'],
    'discount_sum',
  ],
  biggest: ['bet_biggest', 'win_biggest'],
  dated: ['bet', 'win'],
  facts: countedBetsAndWins,
  factsWithin: countedWithin,
});

/**
 * Purchases and tickets of the lottery: see README.md for their rules, purchase.ts and ticket.ts for their states. The draw
 * calendar belongs to no player, so its table is not among `tables`.
 */
export const lottery: Derivation = {
  family: 'lottery',
  kinds: ['lottery', 'lottery_purchase'],
  tables: [{ name: 'lottery_purchase' }, { name: 'lottery_ticket' }, ...lotteryTotals.tables],
  totals: [lotteryTotals],
  async apply(tx, events, context) {
    const arrivals = {
      purchases: eventsOf(events, ['lottery_purchase']).map(purchaseArrival),
      tickets: eventsOf(events, ['lottery']).map(ticketArrival),
    };
    const { purchases, tickets, parts, verdicts, resolved } = decide(
      {
        purchases: await loadPurchases(tx, distinct(arrivals.purchases)),
        tickets: await loadTickets(tx, distinct(arrivals.tickets)),
      },
      arrivals,
    );
    if (purchases.length > 0) await savePurchases(tx, purchases);
    if (tickets.length > 0) await saveTickets(tx, tickets);
    if (parts.length > 0) await lotteryTotals.change(tx, parts, context);
    const told = eventsOf(events, ['lottery', 'lottery_purchase']).flatMap(toldOfDraws);
    await drawCatalogue.save(tx, drawCatalogue.learned(told));
    return { verdicts, resolved };
  },
};

function distinct(arrivals: readonly Arrival<'lottery' | 'lottery_purchase'>[]): FactRef[] {
  const refs = arrivals.map(({ source, key }) => ({ player_id: source.player_id, key }));
  return [...new Map(refs.map((ref) => [keyOf(ref.player_id, ref.key), ref])).values()];
}

export { type DrawFilter, type DrawPlace, type ListedDraw, listDraws } from './draw-list.ts';
export { listTickets, type TicketFilter, ticketStates } from './list.ts';
export type { ListedSettlement, ListedTicket, ListedTicketLine } from './listed-ticket.ts';
export { purchaseOfEvent, ticketOfEvent } from './of-event.ts';
