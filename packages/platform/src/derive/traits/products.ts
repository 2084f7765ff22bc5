import type { Column, Formula } from './formula.ts';
import type { Trait } from './trait.ts';
import { amount, count, daysSince, moment, share } from './wording.ts';

/*
 * All products have the same totals, so they have the same traits, by the money terms of docs/reference/decisions.md 3.
 * The same traits exist for all products together (play.ts).
 */

export type ProductWords = {
  /** The prefix of trait names: 'casino_', or '' for all products. */
  readonly prefix: string;
  readonly families: readonly string[];
  /** The product of the bets: 'casino'. */
  readonly product: string;
} & (
  | {
      /** The events that count as one bet or one win each. Each event has an amount. */
      readonly bets: string;
      readonly wins: string;
    }
  /** For products whose counts and sums come from different events. */
  | { readonly formulas: (side: Side) => SideFormulas }
);

export type Side = 'bet' | 'win';
const parts = ['real', 'bonus', 'locked'] as const;
export type MoneyPart = (typeof parts)[number];
const partWords: Record<MoneyPart, string> = {
  real: 'real money',
  bonus: 'bonus money',
  locked: "locked money (the player's own, held by a bonus)",
};

/** Texts that state how bets or wins are counted, summed and dated. */
export interface SideFormulas {
  readonly count: string;
  readonly sum: Readonly<Record<MoneyPart, string>>;
  readonly biggest: string;
  readonly first: string;
  readonly last: string;
}

/** For events that are one bet (win) each, with their own amount. */
export function formulasOfEvents(events: string): SideFormulas {
  const part = (name: MoneyPart) => `${name} part x exchange_rate of ${events}`;
  return {
    count: `count of ${events}`,
    sum: { real: part('real'), bonus: part('bonus'), locked: part('locked') },
    biggest: `largest amount x exchange_rate of ${events}`,
    first: `earliest of ${events}`,
    last: `latest of ${events}`,
  };
}

/** Names a column in every family. */
export function each(families: readonly string[], ...columns: readonly string[]): Column[] {
  return columns.flatMap((column) => families.map((family): Column => `${family}.${column}`));
}

function allBets(families: readonly string[]): Column[] {
  return each(families, ...parts.map((part) => `${part}_bet_sum`));
}

function allWins(families: readonly string[]): Column[] {
  return each(families, ...parts.map((part) => `${part}_win_sum`));
}

export function productTraits(words: ProductWords): Trait[] {
  const { prefix, families, product } = words;
  const formulas = { bet: formulasOf(words, 'bet'), win: formulasOf(words, 'win') };
  const bets: Formula = { sum: allBets(families) };
  const wins: Formula = { sum: allWins(families) };
  const lastBet = moment(
    {
      name: `${prefix}bet_last_at`,
      meaning: `Last played: time of the latest bet in ${product}.`,
      formula: formulas.bet.last,
    },
    { last: each(families, 'bet_last_at') },
  );
  return [
    ...sideTraits(words, 'bet', bets, formulas.bet),
    ...sideTraits(words, 'win', wins, formulas.win),
    amount(
      {
        name: `${prefix}ggr`,
        meaning: `Gross gaming revenue of ${product}: the player's loss in real money.`,
        formula: `${prefix}real_bet_sum - ${prefix}real_win_sum`,
      },
      { sum: each(families, 'real_bet_sum'), less: each(families, 'real_win_sum') },
    ),
    amount(
      {
        name: `${prefix}ggr_with_bonus`,
        meaning: `Gross gaming revenue of ${product} with bonus and locked money.`,
        formula: `${prefix}bet_sum - ${prefix}win_sum`,
      },
      { sum: allBets(families), less: allWins(families) },
    ),
    share(
      {
        name: `${prefix}rtp`,
        meaning: `Return to player in ${product}: the share of the bets that was paid out as wins.`,
        formula: `${prefix}win_sum / ${prefix}bet_sum; null if there are no bets`,
      },
      wins,
      bets,
    ),
    moment(
      {
        name: `${prefix}bet_first_at`,
        meaning: `First played: time of the first bet in ${product}.`,
        formula: formulas.bet.first,
      },
      { first: each(families, 'bet_first_at') },
    ),
    lastBet,
    moment(
      {
        name: `${prefix}win_last_at`,
        meaning: `Time of the latest win in ${product}.`,
        formula: formulas.win.last,
      },
      { last: each(families, 'win_last_at') },
    ),
    daysSince(`days_since_${prefix}bet`, lastBet, `Days since the latest bet in ${product}; 0 is today.`),
  ];
}

function formulasOf(words: ProductWords, side: Side): SideFormulas {
  if ('formulas' in words) return words.formulas(side);
  return formulasOfEvents(side === 'bet' ? words.bets : words.wins);
}

function sideTraits(
  { prefix, families, product }: ProductWords,
  side: Side,
  all: Formula,
  formulas: SideFormulas,
): Trait[] {
  return [
    count(
      { name: `${prefix}${side}_count`, meaning: `Number of ${side}s in ${product}.`, formula: formulas.count },
      ...each(families, `${side}_count`),
    ),
    amount(
      {
        name: `${prefix}${side}_sum`,
        meaning: `Sum of all ${side}s in ${product}: real, bonus and locked money.`,
        formula: parts.map((part) => `${prefix}${part}_${side}_sum`).join(' + '),
      },
      all,
    ),
    ...parts.map((part) =>
      amount(
        {
          name: `${prefix}${part}_${side}_sum`,
          meaning: `Sum of the ${partWords[part]} of ${side}s in ${product}.`,
          formula: formulas.sum[part],
        },
        { sum: each(families, `${part}_${side}_sum`) },
      ),
    ),
    amount(
      {
        name: `${prefix}${side}_average`,
        meaning: `Average ${side} in ${product}.`,
        formula: `${prefix}${side}_sum / ${prefix}${side}_count; null if there is no ${side}`,
      },
      { ratio: all, to: { sum: each(families, `${side}_count`) } },
    ),
    amount(
      {
        name: `${prefix}${side}_biggest`,
        meaning: `Biggest ${side} in ${product}.`,
        formula: formulas.biggest,
      },
      { biggest: each(families, `${side}_biggest`) },
    ),
  ];
}
