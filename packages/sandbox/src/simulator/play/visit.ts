import type { Casino } from '../casino.ts';
import type { CasinoPlayer } from '../players.ts';
import { grantBonus } from './bonuses.ts';
import { deposit, orphanPayment, withdraw } from './cashier.ts';
import { actAs, type Character, prepare, refillOf } from './characters.ts';
import { arrive, block, changeConsents, changeDetails, logIn, logOut, publishBalances, publishCustom } from './desk.ts';
import { betOnDraw, buyTickets } from './lottery.ts';
import { checkOut } from './shop.ts';
import { orphanActivity, playRound } from './slots.ts';
import { orphanSettlement, placeBet } from './sportsbook.ts';

/**
 * A visit: a player logs in, does several things with pauses of seconds between them, and leaves. A player who has little
 * money left deposits. A player who has won a lot may withdraw.
 */

/** The player's next action, by weight. Actions that need money return false if there is not enough. */
const actions: readonly [weight: number, act: (casino: Casino, player: CasinoPlayer) => unknown][] = [
  [62, playRound],
  [10, placeBet],
  [4, (casino, player) => deposit(casino, player, casino.random.whole(2, 40) * 500)],
  [1, withdrawSome],
  [4, betOnDraw],
  [3, buyTickets],
  [3, checkOut],
  [2, grantBonus],
  [3, publishCustom],
  [2, publishBalances],
  [1.2, changeDetails],
  [1, changeConsents],
  [0.15, block],
];
const totalWeight = actions.reduce((sum, [weight]) => sum + weight, 0);

/** In hundredths: below `lowWallet` a player deposits, above `highWallet` a player may withdraw. */
const lowWallet = 1_000;
const highWallet = 60_000;

export function visit(casino: Casino, player: CasinoPlayer, leave: () => void): void {
  const { random } = casino;
  if (!player.known) arrive(casino, player);
  if (isBarred(casino, player)) {
    leave();
    return;
  }
  if (player.character !== undefined) prepare(player.character, casino, player);
  casino.later(random.skewed(4, 60), () => {
    // A lapsed player does not log in any more.
    if (player.character === 'lapsed') return leave();
    logIn(casino, player);
    if (casino.plays('orphan')) random.pick([orphanPayment, orphanActivity, orphanSettlement])(casino, player);
    stay(casino, player, Math.ceil(random.skewed(14, 120)), leave);
  });
}

function stay(casino: Casino, player: CasinoPlayer, left: number, leave: () => void): void {
  const { random, books } = casino;
  casino.later(random.skewed(6, 90), () => {
    const record = books.player(player.user_id);
    if (record === undefined || left <= 0 || isBarred(casino, player)) {
      if ((record?.wallet.real ?? 0) > highWallet && random.chance(0.5)) withdrawSome(casino, player);
      if (random.chance(0.7)) publishBalances(casino, player);
      if (random.chance(0.8)) logOut(casino, player);
      return leave();
    }
    if (player.character === undefined) doSomething(casino, player, record.wallet.real);
    else doAs(player.character, casino, player, record.wallet.real);
    stay(casino, player, left - 1, leave);
  });
}

function doSomething(casino: Casino, player: CasinoPlayer, money: number): void {
  if (money < lowWallet && casino.random.chance(0.6)) deposit(casino, player, casino.random.whole(2, 40) * 500);
  else choose(casino)(casino, player);
}

function doAs(character: Character, casino: Casino, player: CasinoPlayer, money: number): void {
  const refill = refillOf(character, casino);
  if (refill !== undefined && money < refill.low) deposit(casino, player, refill.amount);
  else actAs(character, casino, player);
}

/** Withdraws half of the wallet, in whole units. */
function withdrawSome(casino: Casino, player: CasinoPlayer): void {
  const amount = Math.floor((casino.books.player(player.user_id)?.wallet.real ?? 0) / 200) * 100;
  if (amount > 0) withdraw(casino, player, amount);
}

function isBarred({ books }: Casino, player: CasinoPlayer): boolean {
  const details = books.player(player.user_id)?.details;
  return details === undefined || details.is_blocked || details.is_excluded;
}

function choose(casino: Casino) {
  let draw = casino.random.next() * totalWeight;
  for (const [weight, act] of actions) {
    draw -= weight;
    if (draw < 0) return act;
  }
  return playRound;
}
