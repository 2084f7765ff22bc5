import type { Micros } from '@croupier/contracts';
import type { Casino } from '../casino.ts';
import type { Body, Label } from '../message.ts';
import { asNumber, type Hundredths, rateAsNumber } from '../money.ts';
import { type CasinoPlayer, remember } from '../players.ts';

/** Slots and tables: rounds of Bet, Win and Loss, and the consolidated game round message behind them. */

const games = [
  ['reelworks', 'Reel Works', '5021', 'Book of Tides', 'slots'],
  ['reelworks', 'Reel Works', '5044', 'Golden Borg', 'slots'],
  ['reelworks', 'Reel Works', '5107', 'Nordlys', 'slots'],
  ['888', 'Triple Eight', '12', 'Classic Seven', 'slots'],
  ['888', 'Triple Eight', '77', 'Lucky Carp', 'slots'],
  ['liveroom', 'Live Room', 'roulette-vip', 'Roulette VIP', 'live'],
  ['liveroom', 'Live Room', 'bj-1', 'Blackjack 1', 'table'],
  ['quickfire', 'Quick Fire', 'crash', 'Rocket', 'crash'],
] as const;

interface Round {
  round_id: string;
  game: (typeof games)[number];
  oneActivityId: boolean;
  told: 'both' | 'raw' | 'gameround';
  real_bet: Hundredths;
  bonus_bet: Hundredths;
  real_win: Hundredths;
  bonus_win: Hundredths;
  activity_id: string;
  lastAt: Micros;
}

interface Activity {
  type: 'Bet' | 'Win' | 'Loss';
  real: Hundredths;
  bonus: Hundredths;
  isEnd: boolean;
}

/** More than 72 h, at which a re-used round_id becomes another round (decisions.md 2.6), with room for the round's length. */
const reuseAfter = 80 * 3_600_000_000;

/** One round with the player's money; says false when the wallet is empty. */
export function playRound(casino: Casino, player: CasinoPlayer): boolean {
  const { random, books, plays } = casino;
  const wallet = books.player(player.user_id)?.wallet;
  const stake = random.whole(1, 40) * 10;
  if (wallet === undefined || wallet.real + wallet.bonus < stake * 2) return false;

  const onlyMessage = plays('gameround_only');
  const game = games[random.chance(0.7) ? player.games[0] : player.games[1]] ?? games[0];
  const round: Round = {
    round_id: roundId(casino, player, game[2]),
    game,
    oneActivityId: plays('one_activity_id'),
    told: onlyMessage ? 'gameround' : plays('raw_only') ? 'raw' : 'both',
    real_bet: 0,
    bonus_bet: 0,
    real_win: 0,
    bonus_win: 0,
    activity_id: '',
    lastAt: 0,
  };
  bet(casino, player, round, stake);
  if (random.chance(0.12)) bet(casino, player, round, stake);
  casino.later(random.skewed(3, 40), () => end(casino, player, round));
  return true;
}

/** A rollback of a bet that was never told. */
export function orphanActivity(casino: Casino, player: CasinoPlayer): void {
  const game = games[casino.random.whole(0, games.length - 1)] ?? games[0];
  const ids = { activity_id: `act-${casino.nextNumber()}`, round_id: `lost-${casino.nextNumber()}` };
  const activity: Activity = { type: 'Bet', real: 100, bonus: 0, isEnd: false };
  publish(casino, player, game, ids, activity, { status: 'Rollback' }, 'orphan');
}

function bet(casino: Casino, player: CasinoPlayer, round: Round, stake: Hundredths): void {
  const real = casino.books.player(player.user_id)?.wallet.real ?? 0;
  const fromReal = Math.min(stake, Math.max(0, real));
  move(casino, player, round, { type: 'Bet', real: fromReal, bonus: stake - fromReal, isEnd: false });
}

function end(casino: Casino, player: CasinoPlayer, round: Round): void {
  const { random } = casino;
  const staked = round.real_bet + round.bonus_bet;
  const won = random.chance(0.32) ? Math.ceil(random.skewed(staked, staked * 30) / 10) * 10 : 0;
  if (won > 0) {
    const bonus = round.real_bet === 0 ? won : 0;
    move(casino, player, round, { type: 'Win', real: won - bonus, bonus, isEnd: true });
  } else if (random.chance(0.7)) {
    move(casino, player, round, { type: 'Loss', real: 0, bonus: 0, isEnd: true });
  }
  if (round.told !== 'raw') casino.later(random.gap(0.5), () => tellRound(casino, player, round));
}

/** Money moves, the round remembers, the platform is told. */
function move(casino: Casino, player: CasinoPlayer, round: Round, activity: Activity): void {
  const { random, books, plays } = casino;
  const sign = activity.type === 'Bet' ? -1 : 1;
  const key = activity.type === 'Bet' ? 'bet' : 'win';
  books.moveMoney(player.user_id, { real: sign * activity.real, bonus: sign * activity.bonus });
  round[`real_${key}`] += activity.real;
  round[`bonus_${key}`] += activity.bonus;
  if (activity.type === 'Bet' || !round.oneActivityId) round.activity_id = `${7_000_000 + casino.nextNumber()}`;
  if (round.told === 'gameround') return;

  const ids = { activity_id: round.activity_id, round_id: round.round_id };
  const tell = (what: Activity, more: Body, label: Label = 'event') => {
    round.lastAt = publish(casino, player, round.game, ids, what, more, label, round.lastAt);
  };
  tell(activity, random.chance(0.3) ? { status: 'Approved' } : {});
  if (plays('restamped')) casino.later(random.skewed(60, 3600), () => tell(activity, {}, 'restamped'));
  if (plays('conflict'))
    casino.later(random.gap(20), () => tell({ ...activity, real: activity.real + 10 }, {}, 'conflict'));
  if (activity.type !== 'Loss' && plays('casino_rollback')) {
    casino.later(random.skewed(20, 1800), () => {
      books.moveMoney(player.user_id, { real: -sign * activity.real, bonus: -sign * activity.bonus });
      round[`real_${key}`] -= activity.real;
      round[`bonus_${key}`] -= activity.bonus;
      tell(activity, { status: 'Rollback' });
    });
  }
}

function publish(
  casino: Casino,
  player: CasinoPlayer,
  game: Round['game'],
  ids: { activity_id: string; round_id: string },
  { type, real, bonus, isEnd }: Activity,
  more: Body,
  label: Label,
  after?: Micros,
): Micros {
  const stamp = casino.stamp('casino', after);
  const wallet = casino.books.player(player.user_id)?.wallet;
  const balance = Math.max(0, (wallet?.real ?? 0) + (wallet?.bonus ?? 0));
  const change = (type === 'Bet' ? -1 : 1) * (real + bonus);
  casino.tell(
    player,
    'casino',
    {
      ...ids,
      amount: asNumber(real + bonus),
      balance_before: asNumber(Math.max(0, balance - change)),
      balance_after: asNumber(balance),
      wager_amount: asNumber(real),
      bonus_wager_amount: asNumber(bonus),
      locked_wager_amount: 0,
      currency: player.currency,
      exchange_rate: rateAsNumber(casino.rate(player.currency, stamp.at)),
      game_id: game[2],
      ...(casino.random.chance(0.2) ? { game_name: game[3], game_type: game[4], vendor_name: game[1] } : {}),
      vendor_id: game[0],
      is_round_end: isEnd,
      origin: player.origin,
      timestamp: stamp.text,
      type,
      ...more,
    },
    { label },
  );
  return stamp.at;
}

function tellRound(casino: Casino, player: CasinoPlayer, round: Round): void {
  const stamp = casino.stamp('gameround', round.lastAt);
  const rate = casino.rate(player.currency, stamp.at);
  const [vendor_id, vendor_name, game_id, game_name, game_type] = round.game;
  // Base amounts are told with eight digits, exactly; only some operators send them.
  const base = (amount: Hundredths) => Number((BigInt(amount) * BigInt(rate)).toString()) / 1e8;
  const withBase = casino.random.chance(0.5);
  casino.tell(player, 'gameround', {
    round_id: round.round_id,
    game_id,
    game_name,
    game_type,
    vendor_id,
    vendor_name,
    real_bet_user: asNumber(round.real_bet),
    bonus_bet_user: asNumber(round.bonus_bet),
    real_win_user: asNumber(round.real_win),
    bonus_win_user: asNumber(round.bonus_win),
    ...(withBase
      ? {
          real_bet_base: base(round.real_bet),
          bonus_bet_base: base(round.bonus_bet),
          real_win_base: base(round.real_win),
          bonus_win_base: base(round.bonus_win),
        }
      : {}),
    user_currency: player.currency,
    device_type: player.device,
    origin: player.origin,
    timestamp: stamp.text,
  });
}

function roundId(casino: Casino, player: CasinoPlayer, gameId: string): string {
  const earlier = player.rounds.get(gameId) ?? [];
  player.rounds.set(gameId, earlier);
  const now = casino.now();
  const old = earlier[0];
  const reused = old !== undefined && now - old.endedAt > reuseAfter && casino.plays('round_id_reused');
  const round_id = reused ? old.round_id : String(30_000_000 + casino.nextNumber());
  if (reused) earlier.shift();
  remember(earlier, { round_id, endedAt: now });
  return round_id;
}
