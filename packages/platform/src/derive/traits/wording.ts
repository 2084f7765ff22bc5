import type { Column, Formula } from './formula.ts';
import type { Trait } from './trait.ts';

/** Constructors for traits of totals. They add the fields that are the same for all such traits. */

type Words = Pick<Trait, 'name' | 'meaning' | 'formula'>;

/** A count in any window. */
export function count(words: Words, ...sum: readonly Column[]): Trait {
  return { ...words, kind: 'number', unit: 'count', windows: 'every', source: { from: 'totals', formula: { sum } } };
}

/** An amount in any window. */
export function amount(words: Words, formula: Formula): Trait {
  return { ...words, kind: 'amount', unit: 'base_currency', windows: 'every', source: { from: 'totals', formula } };
}

export function share(words: Words, of: Formula, to: Formula): Trait {
  const formula = { ratio: of, to };
  return { ...words, kind: 'ratio', unit: 'ratio', windows: 'every', source: { from: 'totals', formula } };
}

/** A first or last date: lifetime only. */
export function moment(words: Words, formula: Formula): Trait {
  return { ...words, kind: 'timestamp', unit: 'timestamp', windows: 'lifetime', source: { from: 'totals', formula } };
}

/** Days since the moment of another trait: calendar days of the brand, 0 is today (docs/decisions/0801). */
export function daysSince(name: string, of: Trait, meaning: string): Trait {
  const { source: from } = of;
  if (from.from !== 'totals' && from.from !== 'fact') throw new Error(`${of.name} is not a time`);
  const formula = `today - day of ${of.name}, in calendar days of the brand's time zone`;
  return {
    name,
    meaning,
    formula,
    kind: 'number',
    unit: 'days',
    windows: 'lifetime',
    source: { from: 'since', moment: from },
  };
}

/** The same, but null once the player has deposited. */
export function daysWithoutDeposit(name: string, of: Trait, meaning: string): Trait {
  const trait = daysSince(name, of, meaning);
  if (trait.source.from !== 'since') throw new Error(`${name} is not a number of days`);
  return {
    ...trait,
    formula: `${trait.formula}; null if deposit_count or reported_deposit_count is above 0`,
    source: {
      ...trait.source,
      unless: { formula: { sum: ['payment.deposit_count'] }, report: 'deposit_count' },
    },
  };
}
