import type { Casino } from '../casino.ts';
import type { Label } from '../message.ts';
import type { Hundredths } from '../money.ts';
import { type CasinoPlayer, remember } from '../players.ts';
import { type Activity, games, publishActivity, publishRound, type Round } from './round-messages.ts';

/** Slots and tables: rounds of Bet, Win and Loss, followed by the consolidated game round message. */

/**
 * More than the 72 h after which a reused round_id is another round (docs/reference/decisions.md 2.6), with a margin for late
 * corrections.
 */
const reuseAfter = 80 * 3_600_000_000;
const hour = 3600;
const micros = 1_000_000;

/** Plays one round with the player's money. Returns false if the wallet is empty. */
export function playRound(casino: Casino, player: CasinoPlayer): boolean {
  return open(casino, player, casino.random.whole(1, 40) * 10);
}

/** Plays one round with a stake of 60 to 100. The player wins with a chance of one in three. */
export function playHighRound(casino: Casino, player: CasinoPlayer): boolean {
  return open(casino, player, casino.random.whole(60, 100) * 100);
}

function open(casino: Casino, player: CasinoPlayer, stake: Hundredths): boolean {
  const { random, books, plays, truth } = casino;
  const wallet = books.player(player.user_id)?.wallet;
  if (wallet === undefined || wallet.real + wallet.bonus < stake * 2) return false;

  const onlyMessage = plays('gameround_only');
  const game = games[random.chance(0.7) ? player.games[0] : player.games[1]] ?? games[0];
  const ids = roundIds(casino, player, game[2]);
  const round: Round = {
    ids,
    game,
    entry: truth.book(player.user_id).rounds.opened(game[0], game[2], ids.round_id),
    oneActivityId: plays('one_activity_id'),
    published: onlyMessage ? 'gameround' : plays('raw_only') ? 'raw' : 'both',
    real_bet: 0,
    bonus_bet: 0,
    real_win: 0,
    bonus_win: 0,
    locks: !onlyMessage && plays('locked_money'),
    activity_id: '',
    lastAt: 0,
  };
  bet(casino, player, round, stake);
  if (random.chance(0.12)) bet(casino, player, round, stake);
  const seconds = plays('long_round') ? random.skewed(6 * hour, 20 * hour) : random.skewed(3, 40);
  casino.later(seconds, () => end(casino, player, round));
  return true;
}

/** Publishes a rollback of a bet that was never published. */
export function orphanActivity(casino: Casino, player: CasinoPlayer): void {
  const game = games[casino.random.whole(0, games.length - 1)] ?? games[0];
  const ids = { activity_id: `act-${casino.nextNumber()}`, round_id: `lost-${casino.nextNumber()}` };
  const activity: Activity = { type: 'Bet', real: 100, bonus: 0, locked: 0, isEnd: false };
  publishActivity(casino, player, game, ids, activity, { label: 'orphan', status: 'Rollback' });
}

function bet(casino: Casino, player: CasinoPlayer, round: Round, stake: Hundredths): void {
  const wallet = casino.books.player(player.user_id)?.wallet.real ?? 0;
  const own = Math.min(stake, Math.max(0, wallet));
  move(casino, player, round, { type: 'Bet', ...lock(round, own), bonus: stake - own, isEnd: false });
}

function end(casino: Casino, player: CasinoPlayer, round: Round): void {
  const { random } = casino;
  const staked = round.real_bet + round.bonus_bet;
  const won = random.chance(0.32) ? Math.ceil(random.skewed(staked, staked * 30) / 10) * 10 : 0;
  if (won > 0) {
    const bonus = round.real_bet === 0 ? won : 0;
    move(casino, player, round, { type: 'Win', ...lock(round, won - bonus), bonus, isEnd: true });
  } else if (random.chance(0.7)) {
    move(casino, player, round, { type: 'Loss', real: 0, locked: 0, bonus: 0, isEnd: true });
  }
  if (round.published !== 'raw') casino.later(random.gap(0.5), () => sumUp(casino, player, round));
}

/** Splits the player's own money into free and locked money, because a bonus may lock a part of it. */
function lock({ locks }: Round, own: Hundredths): { real: Hundredths; locked: Hundredths } {
  const locked = locks ? Math.floor(own / 2) : 0;
  return { real: own - locked, locked };
}

/** Moves the money, adds the activity to the round, and publishes it. */
function move(casino: Casino, player: CasinoPlayer, round: Round, activity: Activity): void {
  const { random, plays } = casino;
  shift(casino, player, round, activity, 1);
  if (activity.type === 'Bet' || !round.oneActivityId) round.activity_id = `${7_000_000 + casino.nextNumber()}`;
  if (round.published === 'gameround') return;

  const ids = { activity_id: round.activity_id, round_id: round.ids.round_id };
  const publish = (
    what: Activity,
    more: { label?: Label; status?: string; round_id?: string; delay?: number } = {},
  ) => {
    const { round_id = ids.round_id, ...options } = more;
    const published = publishActivity(casino, player, round.game, { ...ids, round_id }, what, options, round.lastAt);
    round.lastAt = published.at;
    round.ids.endedAt = published.at;
    return published;
  };
  const rounds = casino.truth.book(player.user_id).rounds;
  const late = activity.type !== 'Loss' && plays('rollback_first');
  const first = publish(activity, {
    ...(random.chance(0.3) && { status: 'Approved' }),
    ...(late && { delay: random.whole(1, 3) * hour * micros }),
  });
  const movement = rounds.moved(round.entry, { ...activity, ...first });
  // Later messages about the same activity have later timestamps, so the first message is in force.
  if (plays('restamped')) casino.later(random.skewed(60, 3600), () => publish(activity, { label: 'restamped' }));
  if (plays('activity_moved')) {
    const round_id = String(30_000_000 + casino.nextNumber());
    casino.later(random.skewed(60, 3600), () => publish(activity, { label: 'restamped', round_id }));
  }
  if (plays('conflict')) {
    const other = { ...activity, real: activity.real + 10 };
    casino.later(random.gap(20), () => publish(other, { label: 'conflict' }));
  }
  if (late || (activity.type !== 'Loss' && plays('casino_rollback'))) {
    casino.later(random.skewed(20, 1800), () => {
      shift(casino, player, round, activity, -1);
      rounds.tookBack(movement);
      publish(activity, { status: 'Rollback' });
    });
  }
}

/** @param direction 1 for an activity that happens, -1 for an activity that is taken back */
function shift(casino: Casino, player: CasinoPlayer, round: Round, activity: Activity, direction: 1 | -1): void {
  const { type, real, bonus, locked } = activity;
  const sign = type === 'Bet' ? -direction : direction;
  casino.books.moveMoney(player.user_id, { real: sign * (real + locked), bonus: sign * bonus });
  const key = type === 'Bet' ? 'bet' : 'win';
  round[`real_${key}`] += direction * (real + locked);
  round[`bonus_${key}`] += direction * bonus;
}

/** Publishes the consolidated message. Only the first one of a round counts. */
function sumUp(casino: Casino, player: CasinoPlayer, round: Round): void {
  const { random, plays, truth } = casino;
  const { real_bet, bonus_bet, real_win, bonus_win } = round;
  const publish = (label: Label, more: Hundredths) => {
    const published = publishRound(casino, player, { ...round, real_win: round.real_win + more }, label);
    round.lastAt = published.at;
    // This message is the last one of a long round that was never closed. So the time after which its id can be reused
    // starts here.
    round.ids.endedAt = published.at;
    return published;
  };
  const sum = { ...publish('event', 0), real_bet, bonus_bet, real_win, bonus_win };
  truth.book(player.user_id).rounds.summedUp(round.entry, sum);
  if (plays('restamped')) casino.later(random.skewed(60, 3600), () => publish('restamped', 0));
  if (plays('conflict')) casino.later(random.gap(20), () => publish('conflict', 20));
}

function roundIds(casino: Casino, player: CasinoPlayer, gameId: string): Round['ids'] {
  const earlier = player.rounds.get(gameId) ?? [];
  player.rounds.set(gameId, earlier);
  const now = casino.now();
  const old = earlier[0];
  const reused = old !== undefined && now - old.endedAt > reuseAfter && casino.plays('round_id_reused');
  const round_id = reused ? old.round_id : String(30_000_000 + casino.nextNumber());
  if (reused) earlier.shift();
  const ids = { round_id, endedAt: now };
  remember(earlier, ids);
  return ids;
}
