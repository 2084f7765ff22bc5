import type { Casino } from '../casino.ts';
import { asNumber, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';
import { writeStamp } from '../stamps.ts';

/** The lottery counter: purchases in one message (v1), and tickets that are bet first and settled after the draw (v2). */

const hour = 3600;
const micros = 1_000_000;
const linePrice = 250;

/** v1: one complete purchase with tickets, line counts and draws. */
export function buyTickets(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books } = casino;
  const tickets = random.whole(1, 3);
  const lines = Array.from({ length: tickets }, () => random.whole(1, 6));
  const amount = lines.reduce((sum, count) => sum + count * linePrice, 0);
  if ((books.player(player.user_id)?.wallet.real ?? 0) < amount) return false;
  const stamp = casino.stamp('lottery_purchase');
  const rejected = random.chance(0.03);
  const body = {
    transaction_id: `tx-${casino.nextNumber()}`,
    amount: asNumber(amount),
    account_amount: asNumber(amount),
    bonus_amount: 0,
    bonus_code: '',
    deposit_amount: 0,
    currency: player.currency,
    exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
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
  casino.tell(player, 'lottery_purchase', { ...body, timestamp: stamp.text, status: 'Approved' });
  if (!rejected) {
    books.moveMoney(player.user_id, { real: -amount });
    return true;
  }
  casino.later(random.skewed(30, hour), () => {
    const timestamp = casino.stamp('lottery_purchase', stamp.at).text;
    casino.tell(player, 'lottery_purchase', { ...body, timestamp, status: 'Rejected' });
  });
  return true;
}

/** v2: a ticket with its lines, settled line by line after the draw. */
export function betOnDraw(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays } = casino;
  const count = random.whole(1, 4);
  const amount = count * linePrice;
  if ((books.player(player.user_id)?.wallet.real ?? 0) < amount) return false;
  books.moveMoney(player.user_id, { real: -amount });
  const stamp = casino.stamp('lottery');
  const drawAt = nextDraw(stamp.at);
  const common = {
    ticket_id: `v2-${casino.nextNumber()}`,
    lottery_id: random.pick(['lotto-mt', '649']),
    lottery_name: 'Lotto Malta',
    lottery_type: 'Lotto',
    draw_id: `draw-${Math.floor(drawAt / (24 * hour * micros))}`,
    draw_date: writeStamp(drawAt, 'offset', casino.brand.time_zone).text,
    currency: player.currency,
    exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
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
  const settleAfter = (drawAt - stamp.at) / micros + random.whole(60, 7200);
  casino.tell(
    player,
    'lottery',
    {
      ...common,
      type: 'Bet',
      amount: asNumber(amount),
      discount_amount: 0,
      bonus_code: '',
      lines,
      timestamp: stamp.text,
      device_type: 'Mobile',
      meta: { campaign: 'jackpot', boosted: false },
    },
    { delay: plays('settlement_first') ? (settleAfter + hour) * micros : 0 },
  );
  casino.later(settleAfter, () => {
    const drawn = numbers(casino, 6, 49);
    const results = lines.map((line) => {
      const matched_numbers = line.numbers.filter((number) => drawn.includes(number));
      return { line_id: line.line_id, matched_numbers, is_winning_line: matched_numbers.length >= 3, meta: {} };
    });
    const payout = results.filter((line) => line.is_winning_line).length * 1000;
    books.moveMoney(player.user_id, { real: payout });
    casino.tell(player, 'lottery', {
      ...common,
      type: 'Settlement',
      amount: asNumber(payout),
      draw_numbers: drawn,
      draw_special_numbers: numbers(casino, 1, 10),
      lines: results,
      timestamp: casino.stamp('lottery', stamp.at).text,
      meta: {},
    });
  });
  return true;
}

/** Draws are held every evening at 20:00 UTC. */
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
