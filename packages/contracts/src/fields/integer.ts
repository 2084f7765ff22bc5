import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';

/** A whole number of 0 or more: counts and drawn numbers. Whole-number text is accepted. */
export function integer(description: string): Field<number, TUnsafe<number>> {
  return {
    schema: Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }),
    fix: 'a whole number of 0 or more',
    presence: 'required',
    read(value, reading, name) {
      const number = typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
      if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
      return reading.refuse(name, 'whole_number', `must be a whole number of 0 or more; received ${show(value)}.`);
    },
  };
}
