import type { Casino } from '../casino.ts';
import type { CasinoPlayer } from '../players.ts';
import { grantBonus } from './bonuses.ts';
import { deposit, depositOnPastDay } from './cashier.ts';
import { changeDetails, publishBalances, publishCustom } from './desk.ts';
import { playHighRound, playRound } from './slots.ts';
import { placeBet } from './sportsbook.ts';

/**
 * Players with a character. They visit the casino like other players, and behave as the name of their character says. So a demo
 * has players for every usual segment. They are never blocked or excluded. They play in addition to the ordinary players, and do
 * not change the random numbers of ordinary players.
 *
 *   newcomer     registers and looks around, and deposits nothing; a new one comes every day
 *   lapsed       deposited twice in the week before last, and never since
 *   high_roller  deposits 500 to 2,000 in one deposit
 *   bettor       only bets on sports
 *   hunter       takes bonuses, and deposits nothing
 *   birthday     has a birthday in two days, at every visit
 *   loser        loses a few hundred in 15 minutes
 */
export const characters = ['newcomer', 'lapsed', 'high_roller', 'bettor', 'hunter', 'birthday', 'loser'] as const;
export type Character = (typeof characters)[number];

type Doing = (casino: Casino, player: CasinoPlayer) => unknown;

const actions: Record<Character, readonly [Doing, ...Doing[]]> = {
  newcomer: [publishCustom, publishBalances],
  lapsed: [publishBalances],
  high_roller: [(casino, player) => deposit(casino, player, casino.random.whole(5, 20) * 10_000), playRound, playRound],
  bettor: [placeBet, placeBet, publishBalances],
  hunter: [grantBonus, playRound, changeDetails],
  birthday: [playRound, publishCustom],
  loser: [playHighRound, playHighRound, playHighRound],
};

const day = 86_400;
const micros = 1_000_000;
/** The ages, in days, of a lapsed player's deposits. Both are in the seven days before the last seven days. */
const lapsedDays = [12, 9];

/** Runs the character's next action. */
export function actAs(character: Character, casino: Casino, player: CasinoPlayer): void {
  casino.random.pick(actions[character])(casino, player);
}

/**
 * Returns the amount that the character deposits when less than `low` is left, in hundredths. Undefined if the character
 * never deposits.
 */
export function refillOf(character: Character, casino: Casino): { low: number; amount: number } | undefined {
  switch (character) {
    case 'newcomer':
    case 'lapsed':
    case 'hunter':
      return undefined;
    case 'loser':
      return { low: 20_000, amount: casino.random.whole(30, 45) * 1_000 };
    default:
      return { low: 1_000, amount: casino.random.whole(2, 40) * 500 };
  }
}

/** Makes the character's conditions true at each visit. */
export function prepare(character: Character, casino: Casino, player: CasinoPlayer): void {
  if (character === 'birthday') haveBirthdaySoon(casino, player);
  if (character === 'lapsed')
    for (const days of lapsedDays) depositOnPastDay(casino, player, noonBefore(casino, days), 5_000);
}

function haveBirthdaySoon({ books, now }: Casino, { user_id }: CasinoPlayer): void {
  const birth_date = `1985${new Date(now() / 1000 + 2 * day * 1000).toISOString().slice(4, 10)}`.replace(
    '-02-29',
    '-02-28',
  );
  if (books.player(user_id)?.details.birth_date !== birth_date) books.change(user_id, { details: { birth_date } });
}

function noonBefore(casino: Casino, days: number): number {
  const today = Math.floor(casino.now() / micros / day);
  return ((today - days) * day + day / 2) * micros;
}
