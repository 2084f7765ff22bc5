import type { Micros } from '@croupier/contracts';
import type { Casino } from '../casino.ts';
import type { Body, Label } from '../message.ts';
import { asNumber, type Hundredths, type Millionths, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';
import { writeStamp } from '../stamps.ts';
import type { BetEntry, PayoutEntry } from '../truth/bet-book.ts';

/**
 * The sportsbook: a bet with one or more selections, possibly cashed out in part, settled hours later, and sometimes corrected.
 */

const matches = [
  ['Sliema Wanderers - Valletta', 'Football', 'Premier League'],
  ['HJK - Ilves', 'Football', 'Veikkausliiga'],
  ['Frölunda - Färjestad', 'Ice Hockey', 'SHL'],
  ['Borg v. Virtanen', 'Tennis', 'Challenger Malta'],
] as const;

interface Bet {
  activity_id: string;
  stake: Hundredths;
  odds: number;
  bet_type: 'Single' | 'Combo';
  ownReference: boolean;
  /** The bet in the book. Undefined for a bet that was never published. */
  entry?: BetEntry;
}

const hour = 3600;
const micros = 1_000_000;

export function placeBet(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays, truth } = casino;
  const stake = random.whole(2, 60) * 50;
  if ((books.player(player.user_id)?.wallet.real ?? 0) < stake) return false;
  const count = random.chance(0.6) ? 1 : random.whole(2, 4);
  // If one selection is not free, the whole stake is the player's own money.
  const free = random.chance(0.04);
  const mixed = random.chance(0.02);
  const selections = Array.from({ length: count }, (_, place) => selection(casino, free || (mixed && place > 0)));
  const odds = selections.reduce((product, one) => product * one.odds, 1);
  const bet: Bet = {
    activity_id: String(40_000_000 + casino.nextNumber()),
    stake,
    odds: Math.round(odds * 100) / 100,
    bet_type: count === 1 ? 'Single' : 'Combo',
    ownReference: plays('blank_reference'),
  };
  const settleAfter = random.skewed(2 * hour, 40 * hour);
  if (!free) books.moveMoney(player.user_id, { real: -stake });
  const ids = { activity_id: bet.activity_id, activity_id_reference: '', is_cashout: false };
  const body = { ...ids, odds: bet.odds, bets: selections };
  // The delay is shorter than two days. If the platform keeps a short history, an event that is older than this history
  // has no effect.
  const delay = plays('settlement_first') ? Math.min(settleAfter + hour, 40 * hour) * micros : 0;
  const published = publish(casino, player, bet, 'Bet', stake, body, { delay });
  const live = selections.some(({ is_live }) => is_live);
  const { activity_id } = bet;
  bet.entry = truth.book(player.user_id).bets.placed({ activity_id, amount: stake, ...published, free, live });
  if (plays('conflict')) {
    casino.later(random.gap(20), () => {
      publish(casino, player, bet, 'Bet', stake + 50, body, { label: 'conflict', after: published.at });
    });
  }
  if (plays('bet_voided')) casino.later(random.skewed(hour, 60 * hour), () => takeBack(casino, player, bet, body));
  casino.later(settleAfter, () => settle(casino, player, bet));
  return true;
}

/** Publishes a settlement of a bet that was never published. */
export function orphanSettlement(casino: Casino, player: CasinoPlayer): void {
  const bet: Bet = {
    activity_id: `lost-${casino.nextNumber()}`,
    stake: 500,
    odds: 2,
    bet_type: 'Single',
    ownReference: false,
  };
  publish(casino, player, bet, 'Settlement', 1000, reference(casino, bet), { label: 'orphan' });
}

/**
 * Rolls back a bet, for example because the match was fixed. The stake is returned, even if there are payouts before or
 * after.
 */
function takeBack(casino: Casino, player: CasinoPlayer, bet: Bet, body: Body): void {
  const { books, truth } = casino;
  if (bet.entry?.free === false) books.moveMoney(player.user_id, { real: bet.stake });
  if (bet.entry !== undefined) truth.book(player.user_id).bets.voided(bet.entry);
  publish(casino, player, bet, 'Bet', bet.stake, { ...body, status: 'Rollback' });
}

function settle(casino: Casino, player: CasinoPlayer, bet: Bet): void {
  const { random, plays } = casino;
  let open = bet.stake;
  if (plays('partial_cashout')) {
    const part = Math.ceil(bet.stake / 2);
    open -= part;
    pay(casino, player, bet, part, { ...reference(casino, { ...bet, ownReference: false }), is_cashout: true });
  }
  const payout = random.chance(1 / (bet.odds + 0.3)) ? Math.round(open * bet.odds) : 0;
  const ids = reference(casino, bet);
  const paid = pay(casino, player, bet, payout, ids);
  if (!plays('settlement_corrected')) return;
  casino.later(random.skewed(1800, 10 * hour), () => {
    const { books, truth } = casino;
    books.moveMoney(player.user_id, { real: -payout });
    truth.book(player.user_id).bets.tookBack(paid);
    publish(casino, player, bet, 'Settlement', payout, { ...ids, status: 'Rollback' });
    const corrected = payout === 0 ? Math.round(open * bet.odds) : 0;
    pay(casino, player, bet, corrected, reference(casino, { ...bet, ownReference: false }));
  });
}

/** Pays on a bet, and publishes the settlement. Sometimes it publishes the settlement again with a new timestamp. */
function pay(casino: Casino, player: CasinoPlayer, bet: Bet, amount: Hundredths, body: Body): PayoutEntry {
  const { random, books, plays, truth } = casino;
  if (bet.entry === undefined) throw new Error('nothing is paid on a bet that was never placed');
  books.moveMoney(player.user_id, { real: amount });
  const published = publish(casino, player, bet, 'Settlement', amount, body);
  if (plays('restamped')) {
    casino.later(random.skewed(60, hour), () => {
      publish(casino, player, bet, 'Settlement', amount, body, { label: 'restamped', after: published.at });
    });
  }
  const cashout = body.is_cashout === true;
  return truth.book(player.user_id).bets.paid(bet.entry, { amount, ...published, cashout });
}

function reference(casino: Casino, bet: Bet): Body {
  const ids = bet.ownReference
    ? { activity_id: bet.activity_id, activity_id_reference: '' }
    : { activity_id: String(40_000_000 + casino.nextNumber()), activity_id_reference: bet.activity_id };
  return { ...ids, is_cashout: false, bets: [] };
}

function publish(
  casino: Casino,
  player: CasinoPlayer,
  bet: Bet,
  type: 'Bet' | 'Settlement',
  amount: Hundredths,
  more: Body,
  { label = 'event', delay = 0, after }: { label?: Label; delay?: Micros; after?: Micros } = {},
): { at: Micros; rate: Millionths } {
  const { at, text: timestamp } = casino.stamp('sports', after);
  const rate = casino.rate(player.currency, at);
  const balance = Math.max(0, casino.books.player(player.user_id)?.wallet.real ?? 0);
  const body = {
    amount: asNumber(amount),
    wager_amount: asNumber(type === 'Bet' ? amount : 0),
    bonus_wager_amount: 0,
    locked_wager_amount: 0,
    balance_before: asNumber(balance),
    balance_after: asNumber(balance),
    bet_type: bet.bet_type,
    currency: player.currency,
    exchange_rate: rateAsNumber(rate),
    device_type: player.device,
    origin: player.origin,
    timestamp,
    type,
    ...more,
  };
  casino.publish(player, 'sports', body, { label, delay });
  return { at, rate };
}

function selection(casino: Casino, is_free_bet: boolean) {
  const { random } = casino;
  const [event_name, sports_name, tournament_name] = random.pick(matches);
  const start = casino.now() + random.whole(-1, 48) * hour * micros;
  return {
    event_name,
    is_free_bet,
    is_risk_free_bet: random.chance(0.03),
    market: random.pick(['1X2', 'Total goals', 'Handicap']),
    match_start: writeStamp(start, 'offset', casino.brand.time_zone).text,
    outcome: random.pick(['1', 'X', '2', 'Over 2.5']),
    sports_name,
    tournament_name,
    odds: random.whole(110, 450) / 100,
    is_live: random.chance(0.3),
  };
}
