import type { Casino } from '../casino.ts';
import type { Body, Label } from '../message.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';
import { writeStamp } from '../stamps.ts';

/** The sportsbook: a bet of one or more selections, cashed out in part or not, settled hours later, now and then corrected. */

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
}

const hour = 3600;
const micros = 1_000_000;

export function placeBet(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays } = casino;
  const stake = random.whole(2, 60) * 50;
  if ((books.player(player.user_id)?.wallet.real ?? 0) < stake) return false;
  const selections = random.chance(0.6) ? 1 : random.whole(2, 4);
  const odds = Array.from({ length: selections }, () => random.whole(110, 450) / 100);
  const bet: Bet = {
    activity_id: String(40_000_000 + casino.nextNumber()),
    stake,
    odds: Math.round(odds.reduce((product, one) => product * one, 1) * 100) / 100,
    bet_type: selections === 1 ? 'Single' : 'Combo',
    ownReference: plays('blank_reference'),
  };
  const free = random.chance(0.04);
  const settleAfter = random.skewed(2 * hour, 40 * hour);
  if (!free) books.moveMoney(player.user_id, { real: -stake });
  publish(
    casino,
    player,
    bet,
    'Bet',
    stake,
    {
      activity_id: bet.activity_id,
      activity_id_reference: '',
      is_cashout: false,
      odds: bet.odds,
      bets: odds.map((one) => selection(casino, one, free)),
    },
    'event',
    plays('settlement_first') ? (settleAfter + hour) * micros : 0,
  );
  casino.later(settleAfter, () => settle(casino, player, bet));
  return true;
}

/** A settlement of a bet that was never told. */
export function orphanSettlement(casino: Casino, player: CasinoPlayer): void {
  const bet: Bet = {
    activity_id: `lost-${casino.nextNumber()}`,
    stake: 500,
    odds: 2,
    bet_type: 'Single',
    ownReference: false,
  };
  publish(casino, player, bet, 'Settlement', 1000, reference(casino, bet), 'orphan');
}

function settle(casino: Casino, player: CasinoPlayer, bet: Bet): void {
  const { random, books, plays } = casino;
  let open = bet.stake;
  if (plays('partial_cashout')) {
    const part = Math.ceil(bet.stake / 2);
    open -= part;
    books.moveMoney(player.user_id, { real: part });
    const ids = { activity_id: String(40_000_000 + casino.nextNumber()), activity_id_reference: bet.activity_id };
    publish(casino, player, bet, 'Settlement', part, { ...ids, is_cashout: true, bets: [] }, 'event');
  }
  const payout = random.chance(1 / (bet.odds + 0.3)) ? Math.round(open * bet.odds) : 0;
  const ids = reference(casino, bet);
  books.moveMoney(player.user_id, { real: payout });
  publish(casino, player, bet, 'Settlement', payout, ids, 'event');
  if (plays('settlement_corrected')) {
    casino.later(random.skewed(1800, 10 * hour), () => {
      const corrected = payout === 0 ? Math.round(open * bet.odds) : 0;
      books.moveMoney(player.user_id, { real: corrected - payout });
      publish(casino, player, bet, 'Settlement', payout, { ...ids, status: 'Rollback' }, 'event');
      publish(
        casino,
        player,
        bet,
        'Settlement',
        corrected,
        reference(casino, { ...bet, ownReference: false }),
        'event',
      );
    });
  }
}

function reference(casino: Casino, bet: Bet): Body {
  return bet.ownReference
    ? { activity_id: bet.activity_id, activity_id_reference: '', is_cashout: false, bets: [] }
    : {
        activity_id: String(40_000_000 + casino.nextNumber()),
        activity_id_reference: bet.activity_id,
        is_cashout: false,
        bets: [],
      };
}

function publish(
  casino: Casino,
  player: CasinoPlayer,
  bet: Bet,
  type: 'Bet' | 'Settlement',
  amount: Hundredths,
  more: Body,
  label: Label,
  delay = 0,
): void {
  const stamp = casino.stamp('sports');
  const balance = Math.max(0, casino.books.player(player.user_id)?.wallet.real ?? 0);
  casino.tell(
    player,
    'sports',
    {
      amount: asNumber(amount),
      wager_amount: asNumber(type === 'Bet' ? amount : 0),
      bonus_wager_amount: 0,
      locked_wager_amount: 0,
      balance_before: asNumber(balance),
      balance_after: asNumber(balance),
      bet_type: bet.bet_type,
      currency: player.currency,
      exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
      device_type: player.device,
      origin: player.origin,
      timestamp: stamp.text,
      type,
      ...more,
    },
    { label, delay },
  );
}

function selection(casino: Casino, odds: number, is_free_bet: boolean): Body {
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
    odds,
    is_live: random.chance(0.3),
  };
}
