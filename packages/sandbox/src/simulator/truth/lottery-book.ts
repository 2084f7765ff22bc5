import type { DecimalText, Micros } from '@croupier/contracts';
import { baseText, type Hundredths, type Millionths, toBase } from '../money.ts';
import { type Moment, type ProductTotals, productTotals } from './product-totals.ts';

/** The lottery counter's book of one player: purchases as a whole (v1), and tickets with their lines and payouts (v2). */
export interface PurchaseTruth {
  transaction_id: string;
  /** False if it was rejected. */
  in_force: boolean;
  bought_at: Micros;
  /** In base currency. */
  stake: DecimalText;
  tickets: { ticket_id: string; lines: number }[];
}

export interface TicketTruth {
  ticket_id: string;
  lottery_id: string;
  draw_id: string;
  bought_at: Micros;
  /** In base currency. */
  stake: DecimalText;
  payout: DecimalText;
  settled: boolean;
  lines: number;
  winning_lines: number;
}

export interface LotteryTotals extends ProductTotals {
  ticket_count: number;
  line_count: number;
  winning_line_count: number;
  discount_sum: DecimalText;
}

interface Money {
  at: Micros;
  amount: Hundredths;
  rate: Millionths;
}

export interface PurchaseEntry extends Money {
  transaction_id: string;
  /** The part of the amount that was paid with bonus money. */
  bonus: Hundredths;
  rejected: boolean;
  tickets: { ticket_id: string; lines: number }[];
}

export interface TicketEntry extends Money {
  ticket_id: string;
  lottery_id: string;
  draw_id: string;
  discount: Hundredths;
  lines: number;
  settlement: (Money & { winning_lines: number }) | null;
}

export type LotteryBook = ReturnType<typeof createLotteryBook>;

export function createLotteryBook() {
  const purchases: PurchaseEntry[] = [];
  const tickets: TicketEntry[] = [];
  return {
    bought(purchase: Omit<PurchaseEntry, 'rejected'>): PurchaseEntry {
      const entry = { ...purchase, rejected: false };
      purchases.push(entry);
      return entry;
    },
    rejected(purchase: PurchaseEntry): void {
      purchase.rejected = true;
    },
    bet(ticket: Omit<TicketEntry, 'settlement'>): TicketEntry {
      const entry = { ...ticket, settlement: null };
      tickets.push(entry);
      return entry;
    },
    settled(ticket: TicketEntry, settlement: Money & { winning_lines: number }): void {
      ticket.settlement = settlement;
    },
    purchases: (): PurchaseTruth[] => purchases.map(purchaseTruth),
    tickets: (): TicketTruth[] => tickets.map(ticketTruth),
    totals: (): LotteryTotals => {
      const bought = purchases.filter(({ rejected }) => !rejected);
      const sold = bought.flatMap((purchase) => purchase.tickets);
      return {
        ...productTotals([...bought.map(momentOfPurchase), ...tickets.flatMap(momentsOfTicket)]),
        ticket_count: sold.length + tickets.length,
        line_count: count(sold, ({ lines }) => lines) + count(tickets, ({ lines }) => lines),
        winning_line_count: count(tickets, ({ settlement }) => settlement?.winning_lines ?? 0),
        discount_sum: baseText(tickets.reduce((sum, { discount, rate }) => sum + toBase(discount, rate), 0n)),
      };
    },
  };
}

function count<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function purchaseTruth({ transaction_id, rejected, at, amount, rate, tickets }: PurchaseEntry): PurchaseTruth {
  return { transaction_id, in_force: !rejected, bought_at: at, stake: baseText(toBase(amount, rate)), tickets };
}

function ticketTruth(ticket: TicketEntry): TicketTruth {
  const { ticket_id, lottery_id, draw_id, at, amount, rate, lines, settlement } = ticket;
  return {
    ticket_id,
    lottery_id,
    draw_id,
    bought_at: at,
    stake: baseText(toBase(amount, rate)),
    payout: settlement === null ? '0' : baseText(toBase(settlement.amount, settlement.rate)),
    settled: settlement !== null,
    lines,
    winning_lines: settlement?.winning_lines ?? 0,
  };
}

function momentOfPurchase({ at, amount, bonus, rate }: PurchaseEntry): Moment {
  const parts = { real: toBase(amount - bonus, rate), bonus: toBase(bonus, rate), locked: 0n };
  return { what: 'bet', at, count: 1, ...parts, size: toBase(amount, rate) };
}

function momentsOfTicket({ at, amount, rate, settlement }: TicketEntry): Moment[] {
  const stake = toBase(amount, rate);
  const bet: Moment = { what: 'bet', at, count: 1, real: stake, bonus: 0n, locked: 0n, size: stake };
  if (settlement === null || settlement.amount === 0) return [bet];
  const won = toBase(settlement.amount, settlement.rate);
  return [bet, { what: 'win', at: settlement.at, count: 1, real: won, bonus: 0n, locked: 0n, size: won }];
}
