import type { DecimalText } from '@croupier/contracts';

/**
 * The casino counts money in hundredths of a currency (whole numbers) and exchange rates in millionths. So every product and
 * sum is exact without a decimal library: hundredths x millionths = units of 1e-8.
 */
export type Hundredths = number;
export type Millionths = number;

const perUnit = 100_000_000n;

/** A sum of money in base currency, in units of 1e-8. */
export type BaseUnits = bigint;

export function toBase(amount: Hundredths, rate: Millionths): BaseUnits {
  return BigInt(amount) * BigInt(rate);
}

/** Converts 12345678901n to "123.45678901", without trailing zeros. */
export function baseText(units: BaseUnits): DecimalText {
  const sign = units < 0n ? '-' : '';
  const size = units < 0n ? -units : units;
  const fraction = (size % perUnit).toString().padStart(8, '0').replace(/0+$/, '');
  return `${sign}${size / perUnit}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Converts 1050 to "10.5". */
export function amountText(amount: Hundredths): DecimalText {
  return baseText(BigInt(amount) * 1_000_000n);
}

/** Converts 1083400 to "1.0834". */
export function rateText(rate: Millionths): DecimalText {
  return baseText(BigInt(rate) * 100n);
}

/**
 * Converts 1050 to the JSON number 10.5. It prints exactly, because the nearest double of a number with so few digits prints
 * as those digits.
 */
export function asNumber(amount: Hundredths): number {
  return amount / 100;
}

export function rateAsNumber(rate: Millionths): number {
  return rate / 1_000_000;
}
