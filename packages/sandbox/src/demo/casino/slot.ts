import { randomInt } from 'node:crypto';

/**
 * The casino's slots: three reels of seven symbols, nine visible, five lines. The server draws; the page only shows the result.
 * A line pays for three equal symbols, and for two of the most common symbol from the left.
 *
 * Every place of a reel is drawn independently, so the return to the player is a short sum (`returnToPlayer`) instead of a
 * simulation. A test requires it to be between 94 and 97 %.
 */
export interface Game {
  game_id: string;
  name: string;
  about: string;
  vendor_id: string;
  vendor_name: string;
  /** Most common first; file names of the page's pictures. */
  symbols: readonly [string, string, string, string, string, string, string];
  odds: Odds;
}

interface Odds {
  /** Probabilities of the seven symbols, in hundredths; they add up to 100. */
  chances: readonly number[];
  /** What three equal symbols pay, in stakes of a line. */
  pays: readonly number[];
  /** What two of the most common symbol pay. */
  pair: number;
}

export interface Spin {
  /** Three rows of three, as the page shows them. */
  rows: string[][];
  /** Winning lines as indexes into `lines`, and what each pays, in hundredths. */
  wins: { line: number; amount: number }[];
  /** Hundredths. */
  won: number;
}

/** The row on each reel: middle, top, bottom, and both diagonals. */
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

/** Stakes of a whole spin, in hundredths. Each is divisible by the five lines. */
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

/** The long-run share of the stakes that is paid back. All lines are alike, so the share of one line is that of the game. */
export function returnToPlayer({ chances, pays, pair }: Odds): number {
  const chance = (place: number) => (chances[place] ?? 0) / 100;
  const triples = pays.reduce((sum, pay, place) => sum + pay * chance(place) ** 3, 0);
  return triples + pair * chance(0) ** 2 * (1 - chance(0));
}

/** What the three symbols of one line pay, in stakes of the line. */
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
