import { type DecimalText, dayOf } from '@croupier/contracts';
import { inBase, sumOf } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import type { Purchase } from './purchase.ts';
import { claimsOf, type Settlement } from './settlements.ts';
import type { Ticket } from './ticket.ts';

/**
 * Maximum number of lines of one ticket that totals count. The operator can send any `lines_count`, and a number of
 * 15 digits must not overflow a counter.
 */
const maxCountedLines = 10_000;

/**
 * What a purchase adds to the totals of its player: one bet, counted with the lottery of its first ticket, and per
 * lottery the money and the tickets.
 */
export function partsOfPurchase(purchase: Purchase | undefined): Part[] {
  if (purchase === undefined || purchase.state !== 'bought') return [];
  const { player_id, at, day, base_amount, versions } = purchase;
  const tickets = versions[0]?.details?.tickets ?? [];
  return [...Map.groupBy(tickets, ({ lottery_id }) => lottery_id)].map(([lottery_id, own], i): Part => {
    return {
      player_id,
      at,
      day,
      by: { lottery_id },
      counts: {
        ...(i === 0 && { bet_count: 1 }),
        ticket_count: own.filter(({ ticket_id }) => ticket_id !== null).length,
        line_count: own.reduce((sum, { lines }) => sum + Math.min(lines, maxCountedLines), 0),
      },
      sums: {
        real_bet_sum: sumOf(own.map(({ base_real }) => base_real)),
        bonus_bet_sum: sumOf(own.map(({ base_bonus }) => base_bonus)),
      },
      ...(i === 0 && { biggest: { bet_biggest: base_amount }, dated: ['bet'] }),
    };
  });
}

/**
 * What a ticket adds to the totals: the bet at its own time, and each settlement in force at that settlement's time.
 */
export function partsOfTicket(ticket: Ticket | undefined, timeZone: string): Part[] {
  if (ticket === undefined || ticket.state === 'orphan') return [];
  const { player_id, at, day, lottery_id, base_amount, base_discount, line_count } = ticket;
  const stake = base_amount ?? '0';
  const claims = claimsOf(ticket.settlements, ticket.bets[0]?.details?.lines ?? []);
  return [
    {
      player_id,
      at,
      day,
      by: { lottery_id },
      counts: { bet_count: 1, ticket_count: 1, line_count },
      sums: { real_bet_sum: stake, discount_sum: base_discount },
      biggest: { bet_biggest: stake },
      dated: ['bet'],
    },
    ...claims.inForce.map((settlement): Part => {
      const win = winOf(settlement, timeZone);
      return {
        player_id,
        at: win.at,
        day: win.day,
        by: { lottery_id },
        counts: {
          win_count: settlement.amount === '0' ? 0 : 1,
          winning_line_count: claims.winningLinesOf(settlement),
        },
        sums: { real_win_sum: win.base_amount },
        ...(settlement.amount !== '0' && { biggest: { win_biggest: win.base_amount }, dated: ['win'] }),
      };
    }),
  ];
}

export interface Win {
  at: number;
  day: string;
  base_amount: DecimalText;
}

/** The wins of a ticket as totals count them. Used when extremes are read again. */
export function winsOf(ticket: Ticket, timeZone: string): Win[] {
  if (ticket.state === 'orphan') return [];
  const { inForce } = claimsOf(ticket.settlements, ticket.bets[0]?.details?.lines ?? []);
  return inForce.filter(({ amount }) => amount !== '0').map((settlement) => winOf(settlement, timeZone));
}

function winOf({ timestamp, amount, exchange_rate }: Settlement, timeZone: string): Win {
  return { at: timestamp, day: dayOf(timeZone, timestamp), base_amount: inBase(amount, exchange_rate) };
}
