import { randomInt } from 'node:crypto';

/**
 * The casino's slots. A slot has three reels of seven symbols, nine visible symbols, and five lines. The server draws the
 * symbols, and the page only shows the result. A line pays if its three symbols are equal. It also pays if its first two
 * symbols from the left are the most common symbol.
 *
 * Every place of a reel is drawn independently. So the return to the player can be computed as a short sum
 * (`returnToPlayer`), without a simulation. A test requires it to be between 94 and 97 %.
 */
export interface Game {
  game_id: string;
  name: string;
  about: string;
  vendor_id: string;
  vendor_name: string;
  /** The symbols, the most common one first. Each is also the file name of a picture of the page. */
  symbols: readonly [string, string, string, string, string, string, string];
  odds: Odds;
}

interface Odds {
  /** Probabilities of the seven symbols, in percent. They add up to 100. */
  chances: readonly number[];
  /** Payout of a line with three equal symbols, for each symbol, as a multiple of the line's stake. */
  pays: readonly number[];
  /** Payout of a line that begins with two of the most common symbol, as a multiple of the line's stake. */
  pair: number;
}

export interface Spin {
  /** Three rows of three, as the page shows them. */
  rows: string[][];
  /** The winning lines. `line` is an index of `lines`, and `amount` is the payout in hundredths. */
  wins: { line: number; amount: number }[];
  /** The sum of all payouts, in hundredths. */
  won: number;
}

/** The five lines, each as its row on each reel: middle, top, bottom, and both diagonals. */
export const lines = [
  [1, 1, 1],
  [0, 0, 0],
  [2, 2, 2],
  [0, 1, 2],
  [2, 1, 0],
] as const;

const gentle: Odds = { chances: [26, 19, 17, 14, 11, 8, 5], pays: [8, 17, 28, 48, 100, 220, 600], pair: 2 };
const bold: Odds = { chances: [28, 20, 17, 14, 11, 7, 3], pays: [6, 13, 23, 50, 125, 420, 3700], pair: 1 };

const tonic = { vendor_id: 'tonic', vendor_name: 'Tonic Games' };
const nocturne = { vendor_id: 'nocturne', vendor_name: 'Nocturne Studio' };

export const games: readonly Game[] = [
  {
    game_id: 'lucky-lanterns',
    name: 'Lucky Lanterns',
    about: 'A river of lights, small wins often',
    ...nocturne,
    symbols: ['coin', 'leaf', 'bell', 'moon', 'ruby', 'lantern', 'seven'],
    odds: gentle,
  },
  {
    game_id: 'emerald-nights',
    name: 'Emerald Nights',
    about: 'Cut stones, rare and large',
    ...tonic,
    symbols: ['clover', 'cherry', 'sapphire', 'ruby', 'emerald', 'diamond', 'crown'],
    odds: bold,
  },
  {
    game_id: 'moonlit-reef',
    name: 'Moonlit Reef',
    about: 'Pearls below a quiet sea',
    ...nocturne,
    symbols: ['shell', 'coin', 'star', 'sapphire', 'moon', 'pearl', 'crown'],
    odds: gentle,
  },
  {
    game_id: 'sevens-at-ten',
    name: 'Sevens at Ten',
    about: 'The classic, with a high risk',
    ...tonic,
    symbols: ['cherry', 'bell', 'clover', 'star', 'diamond', 'crown', 'seven'],
    odds: bold,
  },
];

/** The possible stakes of a whole spin, in hundredths. Each is divisible by 5, the number of lines. */
export const stakes = [20, 50, 100, 200, 500] as const;

/** @param draw returns a whole number from 0 up to, but not including, the given one. */
export function spin(game: Game, stake: number, draw: (below: number) => number = (below) => randomInt(below)): Spin {
  const reels = [0, 1, 2].map(() => [0, 1, 2].map(() => drawSymbol(game.odds, draw(100))));
  const wins = lines.flatMap((rows, line) => {
    const places = rows.map((row, reel) => reels[reel]?.[row] ?? 0);
    const pays = payOf(game.odds, places);
    return pays === 0 ? [] : [{ line, amount: (pays * stake) / lines.length }];
  });
  return {
    rows: [0, 1, 2].map((row) => reels.map((reel) => game.symbols[reel[row] ?? 0] ?? game.symbols[0])),
    wins,
    won: wins.reduce((sum, win) => sum + win.amount, 0),
  };
}

/** Returns the share of the stakes that is paid back in the long run. It is the same for each line, so one line is sufficient. */
export function returnToPlayer({ chances, pays, pair }: Odds): number {
  const chance = (place: number) => (chances[place] ?? 0) / 100;
  const triples = pays.reduce((sum, pay, place) => sum + pay * chance(place) ** 3, 0);
  return triples + pair * chance(0) ** 2 * (1 - chance(0));
}

/** Returns the payout of the three symbols of one line, as a multiple of the line's stake. */
function payOf(odds: Odds, [first, second, third]: readonly number[]): number {
  if (first === undefined || first !== second) return 0;
  if (second === third) return odds.pays[first] ?? 0;
  return first === 0 ? odds.pair : 0;
}

function drawSymbol(odds: Odds, drawn: number): number {
  let left = drawn;
  return Math.max(
    0,
    odds.chances.findIndex((chance) => {
      left -= chance;
      return left < 0;
    }),
  );
}
