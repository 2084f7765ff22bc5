import { type DecimalText, readDecimal } from '@croupier/contracts';
import Big from 'big.js';
import type { ListedBudget } from '../../actions/index.ts';
import { refusedField } from '../routing/refused.ts';

/** Reads an amount of a budget as people write it. */

/** @throws {Refused} if it is not an amount of 0 or more */
export function amountIn(path: string, value: number | string): DecimalText {
  const reading = readDecimal(value);
  if (reading.ok && !reading.text.startsWith('-')) return reading.text;
  const message = {
    en: `${path} must be an amount of 0 or more, such as 100 or "12.50"`,
    de: `${path} muss ein Betrag von 0 oder mehr sein, zum Beispiel 100 oder "12.50"`,
  };
  throw refusedField(path, 'amount', message);
}

export function valuesIn(values: Readonly<Record<string, number | string>>): Record<string, DecimalText> {
  return Object.fromEntries(
    Object.entries(values).map(([code, value]) => [code, amountIn(`bonus_values.${code}`, value)]),
  );
}

/** Removes the trailing zeros that the database keeps in sums. */
export function plainAmount(amount: DecimalText): DecimalText {
  return new Big(amount).toFixed();
}

export function totalUse(budget: ListedBudget) {
  const { reserved_amount, reserved_count, spent_amount, spent_count } = budget;
  return { amount: new Big(reserved_amount).plus(spent_amount).toFixed(), count: reserved_count + spent_count };
}
