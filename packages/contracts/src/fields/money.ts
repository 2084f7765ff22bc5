import Type, { type TUnsafe } from 'typebox';
import {
  type DecimalRefusal,
  maxFractionDigits,
  maxIntegerDigits,
  readDecimal,
  readSignedDecimal,
} from '../numbers/decimal.ts';
import type { Rule } from '../rules.ts';
import type { DecimalText } from '../values.ts';
import type { Field, Reading } from './field.ts';
import { show } from './show.ts';

type MoneyField = Field<DecimalText, TUnsafe<number | string>>;

const decimalPattern = `^[0-9]{1,${maxIntegerDigits}}([.][0-9]{1,${maxFractionDigits}})?$`;
const digitLimits = `at most ${maxIntegerDigits} digits before and ${maxFractionDigits} after the point`;

/** An amount of money: a decimal of 0 or more, exact (docs/reference/decisions.md 1, "Money"). */
export function amount(description: string): MoneyField {
  return {
    schema: Type.Unsafe<number | string>({
      type: ['number', 'string'],
      minimum: 0,
      exclusiveMaximum: 1e18,
      pattern: decimalPattern,
      description,
    }),
    fix: 'a number or decimal string of 0 or more, such as 12.5',
    presence: 'required',
    read(value, reading, name) {
      const decimal = readDecimal(value);
      return decimal.ok ? decimal.text : refuseDecimal(decimal.why, value, reading, name);
    },
  };
}

const whyNot: Record<DecimalRefusal, [rule: Rule, says: string]> = {
  not_a_decimal: ['decimal', 'must be a decimal; send a number or decimal string, such as 12.5'],
  negative: [
    'not_negative',
    'must be 0 or more; send the amount without a sign, because the type of the event determines the direction',
  ],
  too_many_digits: [
    'decimal_digits',
    `must have ${digitLimits}; send the exact amount in the main unit of its currency`,
  ],
};

function refuseDecimal(why: DecimalRefusal, value: unknown, reading: Reading, name: string): undefined {
  const [rule, says] = whyNot[why];
  return reading.refuse(name, rule, `${says}; received ${show(value)}.`);
}

/** A balance: an amount that may be negative (credit lines). Nothing is computed from it. */
export function balance(description: string): MoneyField {
  return {
    schema: Type.Unsafe<number | string>({
      type: ['number', 'string'],
      exclusiveMinimum: -1e18,
      exclusiveMaximum: 1e18,
      pattern: decimalPattern.replace('^', '^-?'),
      description,
    }),
    fix: 'a number or decimal string, such as 12.5',
    presence: 'required',
    read(value, reading, name) {
      const decimal = readSignedDecimal(value);
      return decimal.ok ? decimal.text : refuseDecimal(decimal.why, value, reading, name);
    },
  };
}

/** The rate that converts an amount to the brand's base currency. It is a decimal greater than 0. */
export function exchangeRate(description: string): MoneyField {
  const hint = 'send the rate that converts the amount to the base currency, 1 if it is the base currency';
  return {
    schema: Type.Unsafe<number | string>({
      type: ['number', 'string'],
      exclusiveMinimum: 0,
      exclusiveMaximum: 1e18,
      pattern: decimalPattern.replace('^', '^(?!0+([.]0+)?$)'),
      description,
    }),
    fix: 'the rate that converts the amount to the base currency, 1 if it is the base currency',
    presence: 'required',
    read(value, reading, name) {
      const decimal = readDecimal(value);
      if (decimal.ok && decimal.text !== '0') return decimal.text;
      if (!decimal.ok && decimal.why === 'too_many_digits') return refuseDecimal(decimal.why, value, reading, name);
      return reading.refuse(name, 'positive_decimal', `must be a decimal greater than 0; ${hint}.`);
    },
  };
}
