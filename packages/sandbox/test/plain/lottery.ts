import type { EventOf } from '@croupier/contracts';
import { Big } from 'big.js';
import type { PurchaseTruth, TicketTruth } from '../../src/index.ts';
import { nothing, type Part, productTotals, total } from './money.ts';
import { eventsInForce, type Received } from './received.ts';

/** Purchases and tickets in the simplest implementation of docs/reference/decisions.md 2.9. */
export function plainLottery(v1: readonly Received<'lottery_purchase'>[], v2: readonly Received<'lottery'>[]) {
  const purchaseEvents = eventsInForce(v1, (event) => [event.transaction_id, event.status]);
  const rejected = new Set(
    purchaseEvents.filter(({ status }) => status === 'Rejected').map((event) => event.transaction_id),
  );
  const bought = purchaseEvents.filter(({ status }) => status === 'Approved');
  const purchases = bought.map((event): PurchaseTruth => {
    return {
      transaction_id: event.transaction_id,
      in_force: !rejected.has(event.transaction_id),
      bought_at: event.timestamp,
      stake: baseValue(event).toFixed(),
      tickets: event.tickets.map(({ ticket_id, lines_count = 0 }) => ({ ticket_id, lines: lines_count })),
    };
  });

  const name = ({ ticket_id, lottery_id, draw_id }: EventOf<'lottery'>) =>
    JSON.stringify([ticket_id, lottery_id, draw_id]);
  const settlements = v2.map(({ event }) => event).filter(({ type }) => type === 'Settlement');
  const bets = eventsInForce(
    v2.filter(({ event }) => event.type === 'Bet'),
    (event) => [name(event)],
  );
  const pairs = bets.map((bet) => {
    // All simulated settlements contain all lines, so the latest has every line.
    const own = settlements.filter((event) => name(event) === name(bet));
    return { bet, settlement: own.sort((a, b) => b.timestamp - a.timestamp)[0] };
  });
  const tickets = pairs.map(({ bet, settlement }): TicketTruth => {
    return {
      ticket_id: bet.ticket_id,
      lottery_id: bet.lottery_id,
      draw_id: bet.draw_id,
      bought_at: bet.timestamp,
      stake: baseValue(bet).toFixed(),
      payout: (settlement === undefined ? nothing : baseValue(settlement)).toFixed(),
      settled: settlement !== undefined,
      lines: bet.lines.length,
      winning_lines: (settlement?.lines ?? []).filter((line) => line.is_winning_line === true).length,
    };
  });

  const inForce = bought.filter(({ transaction_id }) => !rejected.has(transaction_id));
  const won = pairs.flatMap(({ settlement }) => settlement ?? []).filter(({ amount }) => amount !== '0');
  const parts = [
    ...inForce.map((event) => partOf('bet', event, new Big(event.bonus_amount ?? 0).times(event.exchange_rate))),
    ...bets.map((event) => partOf('bet', event, nothing)),
    ...won.map((event) => partOf('win', event, nothing)),
  ];
  const sold = inForce.flatMap((event) => event.tickets);
  const discounts = bets.map((bet) => new Big(bet.discount_amount ?? 0).times(bet.exchange_rate));
  const totals = {
    ...productTotals(parts),
    ticket_count: sold.length + tickets.length,
    line_count: [...sold.map((one) => one.lines_count ?? 0), ...tickets.map((one) => one.lines)].reduce(
      (sum, lines) => sum + lines,
      0,
    ),
    winning_line_count: tickets.reduce((sum, ticket) => sum + ticket.winning_lines, 0),
    discount_sum: total(discounts).toFixed(),
  };
  return { purchases, tickets, totals };
}

interface Money {
  timestamp: number;
  amount: string;
  exchange_rate: string;
}

function baseValue({ amount, exchange_rate }: Money): Big {
  return new Big(amount).times(exchange_rate);
}

function partOf(what: Part['what'], event: Money, bonus: Big): Part {
  const whole = baseValue(event);
  return { what, at: event.timestamp, real: whole.minus(bonus), bonus, locked: nothing, sizes: [whole] };
}
