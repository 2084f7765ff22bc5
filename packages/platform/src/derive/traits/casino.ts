import type { Ranking } from '../totals/index.ts';
import { formulasOfEvents, productTraits, type Side, type SideFormulas } from './products.ts';
import type { BiggestWinShow, Trait, TraitKind, Unit } from './trait.ts';
import { count } from './wording.ts';

const ties = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum'];
const byGame: Ranking = { name: 'game', group: ['vendor_id', 'game_id'], most: 'bet_count', ties };
const byVendor: Ranking = { name: 'vendor', group: ['vendor_id'], most: 'bet_count', ties };

/**
 * If the operator sends both activities and messages of its rounds, the number of bets comes from the activities, and
 * the amounts come from the message (docs/reference/decisions.md 2.7, derive/families/rounds/base-amounts.ts).
 */
function casinoFormulas(side: Side): SideFormulas {
  const events =
    side === 'bet' ? 'casino events of type Bet in force' : 'casino events of type Win in force with an amount above 0';
  const messages = `gameround messages with a ${side} above 0 in rounds without such an event`;
  const sumOf = (part: 'real' | 'bonus') => {
    const field = `${part}_${side}`;
    return [
      `${part} part x exchange_rate of ${events}`,
      `If the gameround message of a round contains ${field}_base or ${field}_user, that amount counts instead`,
      'It counts at the time of the last of these casino events, or of the message if there are none',
      `It is ${field}_base, else ${field}_user in the base currency, else ${field}_user x exchange_rate of the round's casino events`,
      'A round whose message has no known rate counts 0',
    ].join('. ');
  };
  return {
    ...formulasOfEvents(`${events}, and ${messages}`),
    sum: {
      real: sumOf('real'),
      bonus: sumOf('bonus'),
      locked:
        `locked part x exchange_rate of ${events}. A round counts 0 if its gameround message contains real_${side}_base or ` +
        `real_${side}_user, because these include the locked part. It also counts 0 if its message has no known rate`,
    },
    // The size of each bet is known only from its own event: docs/decisions/0710.
    biggest:
      `largest amount x exchange_rate of ${events}, and real + bonus ${side} of ${messages}. May exceed casino_${side}_sum if a ` +
      'message corrects the money of its round, because the message does not name the event',
  };
}

function favorite(what: 'game' | 'vendor', ranking: Ranking, show: string): Trait {
  return {
    name: `casino_favorite_${what}`,
    kind: 'text',
    unit: 'id',
    windows: 'favorite',
    meaning: `The casino ${what} with the most bets of the player.`,
    formula: `${show} with the most casino bets; ties by the sum of the bets, then by the id`,
    source: { from: 'favorite', family: 'casino', ranking, show },
  };
}

/** Traits of the win that is casino_win_biggest. */
function ofBiggestWin(
  name: string,
  [show, kind, unit]: readonly [BiggestWinShow, TraitKind, Unit],
  meaning: string,
  formula: string,
): Trait {
  return { name, kind, unit, windows: 'lifetime', meaning, formula, source: { from: 'biggest_win', show } };
}

const theBiggest = 'the win of casino_win_biggest (the earliest if several have that size)';

export const casinoTraits: readonly Trait[] = [
  ...productTraits({
    prefix: 'casino_',
    families: ['casino'],
    product: 'the casino',
    formulas: casinoFormulas,
  }),
  count(
    {
      name: 'casino_round_count',
      meaning: 'Number of casino rounds.',
      formula:
        'count of rounds (vendor_id, game_id, round_id) with a casino event or a gameround message in force, at their first casino event, ' +
        'else at their message',
    },
    'casino.round_count',
  ),
  ofBiggestWin(
    'casino_win_biggest_at',
    ['at', 'timestamp', 'timestamp'],
    'Time of the biggest casino win; null if it is older than the history of the brand.',
    `timestamp of ${theBiggest}`,
  ),
  ofBiggestWin(
    'casino_win_biggest_game',
    ['game_id', 'text', 'id'],
    'Game of the biggest casino win.',
    `game_id of ${theBiggest}`,
  ),
  ofBiggestWin(
    'casino_win_biggest_vendor',
    ['vendor_id', 'text', 'id'],
    'Vendor of the game of the biggest casino win.',
    `vendor_id of ${theBiggest}`,
  ),
  ofBiggestWin(
    'casino_win_biggest_multiplier',
    ['multiplier', 'ratio', 'ratio'],
    'The biggest casino win as a multiple of the bets of its round; null if it is older than the history of the brand.',
    `amount of ${theBiggest} / sum of the bets of its round; null if there are no bets`,
  ),
  ofBiggestWin(
    'days_since_casino_win_biggest',
    ['days_since', 'number', 'days'],
    'Days since the biggest casino win; 0 is today.',
    `today - day of ${theBiggest}, in calendar days of the brand's time zone`,
  ),
  favorite('game', byGame, 'game_id'),
  favorite('vendor', byVendor, 'vendor_id'),
];
