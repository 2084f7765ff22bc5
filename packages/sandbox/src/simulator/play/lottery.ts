import type { Micros } from '@croupier/contracts';
import type { Casino } from '../casino.ts';
import type { Body } from '../message.ts';
import { asNumber, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';
import { writeStamp } from '../stamps.ts';
import type { TicketEntry } from '../truth/lottery-book.ts';

/** The lottery counter: purchases in one message (v1), and tickets that are bet first and settled after the draw (v2). */

const hour = 3600;
const micros = 1_000_000;
const linePrice = 250;

/** Version 1: publishes one complete purchase with tickets, line counts and draws. */
export function buyTickets(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, truth } = casino;
  const tickets = random.whole(1, 3);
  const lines = Array.from({ length: tickets }, () => random.whole(1, 6));
  const amount = lines.reduce((sum, count) => sum + count * linePrice, 0);
  const wallet = books.player(player.user_id)?.wallet;
  if ((wallet?.real ?? 0) < amount) return false;
  const bonus = Math.min(random.chance(0.2) ? linePrice : 0, Math.max(0, wallet?.bonus ?? 0));
  const stamp = casino.stamp('lottery_purchase');
  const rate = casino.rate(player.currency, stamp.at);
  const rejected = random.chance(0.03);
  const transaction_id = `tx-${casino.nextNumber()}`;
  const body = {
    transaction_id,
    amount: asNumber(amount),
    account_amount: asNumber(amount - bonus),
    bonus_amount: asNumber(bonus),
    bonus_code: '',
    deposit_amount: 0,
    currency: player.currency,
    exchange_rate: rateAsNumber(rate),
    origin: player.origin,
    tickets: lines.map((lines_count) => ({
      ticket_id: `v1-${casino.nextNumber()}`,
      product: 'SingleTicket',
      product_name: random.pick(['EuroMillions', 'Viking Lotto']),
      amount: asNumber(lines_count * linePrice),
      lines_count,
      draws: [{ timestamp: writeStamp(nextDraw(stamp.at), 'offset', casino.brand.time_zone).text }],
    })),
  };
  casino.publish(player, 'lottery_purchase', { ...body, timestamp: stamp.text, status: 'Approved' });
  const sold = body.tickets.map(({ ticket_id, lines_count }) => ({ ticket_id, lines: lines_count }));
  const book = truth.book(player.user_id).lottery;
  const entry = book.bought({ transaction_id, at: stamp.at, amount, bonus, rate, tickets: sold });
  if (!rejected) {
    books.moveMoney(player.user_id, { real: bonus - amount, bonus: -bonus });
    return true;
  }
  casino.later(random.skewed(30, hour), () => {
    book.rejected(entry);
    const timestamp = casino.stamp('lottery_purchase', stamp.at).text;
    casino.publish(player, 'lottery_purchase', { ...body, timestamp, status: 'Rejected' });
  });
  return true;
}

/** Version 2: publishes a ticket with its lines. After the draw, the lines are settled one by one. */
export function betOnDraw(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays, truth } = casino;
  const count = random.whole(1, 4);
  const amount = count * linePrice;
  if ((books.player(player.user_id)?.wallet.real ?? 0) < amount) return false;
  books.moveMoney(player.user_id, { real: -amount });
  const { at, text: timestamp } = casino.stamp('lottery');
  const rate = casino.rate(player.currency, at);
  const drawAt = nextDraw(at);
  const ids = {
    ticket_id: `v2-${casino.nextNumber()}`,
    lottery_id: random.pick(['lotto-mt', '649']),
    draw_id: `draw-${Math.floor(drawAt / (24 * hour * micros))}`,
  };
  const common = {
    ...ids,
    lottery_name: 'Lotto Malta',
    lottery_type: 'Lotto',
    draw_date: writeStamp(drawAt, 'offset', casino.brand.time_zone).text,
    currency: player.currency,
    exchange_rate: rateAsNumber(rate),
    origin: player.origin,
  };
  const lines = Array.from({ length: count }, (_, place) => ({
    line_id: place + 1,
    is_free_bet: false,
    numbers: numbers(casino, 6, 49),
    special_numbers: numbers(casino, 1, 10),
    is_quick_pick: random.chance(0.5),
    meta: { row: place },
  }));
  const discount = random.chance(0.1) ? 50 : 0;
  const settleAfter = (drawAt - at) / micros + random.whole(60, 7200);
  const bet = {
    ...common,
    type: 'Bet',
    amount: asNumber(amount),
    discount_amount: asNumber(discount),
    bonus_code: '',
    lines,
    timestamp,
    device_type: 'Mobile',
    meta: { campaign: 'jackpot', boosted: false },
  };
  casino.publish(player, 'lottery', bet, { delay: plays('settlement_first') ? (settleAfter + hour) * micros : 0 });
  const entry = truth.book(player.user_id).lottery.bet({ ...ids, at, amount, discount, rate, lines: count });
  const ticket = { entry, common, lines: lines.map((line) => line.numbers) };
  casino.later(settleAfter, () => {
    const settledAt = settle(casino, player, ticket, at);
    if (!plays('settled_twice')) return;
    // The first result was wrong. So all lines are settled again.
    casino.later(random.skewed(600, 5 * hour), () => settle(casino, player, ticket, settledAt));
  });
  return true;
}

interface Ticket {
  entry: TicketEntry;
  common: Body;
  /** Numbers of each line. */
  lines: number[][];
}

function settle(casino: Casino, player: CasinoPlayer, { entry, common, lines }: Ticket, after: Micros): Micros {
  const { books, truth } = casino;
  const drawn = numbers(casino, 6, 49);
  const results = lines.map((line, place) => {
    const matched_numbers = line.filter((number) => drawn.includes(number));
    return { line_id: place + 1, matched_numbers, is_winning_line: matched_numbers.length >= 2, meta: {} };
  });
  const winning_lines = results.filter((line) => line.is_winning_line).length;
  const amount = winning_lines * 1000;
  books.moveMoney(player.user_id, { real: amount - (entry.settlement?.amount ?? 0) });
  const { at, text: timestamp } = casino.stamp('lottery', after);
  const rate = casino.rate(player.currency, at);
  const body = {
    ...common,
    exchange_rate: rateAsNumber(rate),
    type: 'Settlement',
    amount: asNumber(amount),
    draw_numbers: drawn,
    draw_special_numbers: numbers(casino, 1, 10),
    lines: results,
    timestamp,
    meta: {},
  };
  casino.publish(player, 'lottery', body);
  truth.book(player.user_id).lottery.settled(entry, { at, amount, rate, winning_lines });
  return at;
}

/** Draws take place every evening at 20:00 UTC. */
function nextDraw(at: number): number {
  const day = 24 * hour * micros;
  const today = Math.floor(at / day) * day + 20 * hour * micros;
  return today > at ? today : today + day;
}

function numbers(casino: Casino, count: number, highest: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(casino.random.whole(1, highest));
  return [...drawn].sort((a, b) => a - b);
}
