import { numberFormat } from '../../ui/formats.ts';
import { moneyText, roundedMoneyText } from '../../ui/money.tsx';

interface Decimal {
  value: unknown;
  unit: string;
}

/**
 * Returns the text of an amount or a ratio, which the platform computes exactly, with up to 10 decimal places. Pure.
 *
 * @param isRounded rounds amounts to cents, and ratios to 4 decimal places
 * @returns undefined for other values
 */
export function decimalText({ value, unit }: Decimal, language: string, isRounded: boolean): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^[A-Z]{3}$/.test(unit)) return (isRounded ? roundedMoneyText : moneyText)(value, unit, language);
  if (unit !== 'ratio') return undefined;
  const format = numberFormat(language, { maximumFractionDigits: 4 });
  return isRounded ? format.format(value as unknown as number) : moneyText(value, '', language);
}

/** Returns the title of a value: the technical name of its trait and, if the value is rounded, the exact value. Pure. */
export function titleOf(name: string, trait: Decimal, language: string): string {
  const exact = decimalText(trait, language, false);
  return exact === decimalText(trait, language, true) ? name : `${name}: ${exact}`;
}
