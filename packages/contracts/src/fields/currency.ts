import Type, { type TUnsafe } from 'typebox';
import { readCurrency } from '../codes/currency.ts';
import type { Field } from './field.ts';
import { show } from './show.ts';

const maxLength = 50;

/**
 * A currency. An unknown one is kept and flagged `unknown_code`, never refused (docs/reference/decisions.md 1,
 * "Codes").
 */
export function currency(description: string): Field<string, TUnsafe<string>> {
  return {
    schema: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength, description }),
    fix: 'the ISO 4217 code of the currency, such as EUR',
    presence: 'required',
    read(value, reading, name) {
      if (typeof value !== 'string' || value.length > maxLength)
        return reading.refuse(name, 'code', `must be a currency code such as EUR; received ${show(value)}.`);
      const { code, known } = readCurrency(value);
      if (known) return code;
      if (value.includes('\u0000') || !value.isWellFormed())
        return reading.refuse(
          name,
          'code',
          'must not contain NUL or invalid Unicode; send a currency code such as EUR.',
        );
      reading.flag('unknown_code');
      return code;
    },
  };
}
