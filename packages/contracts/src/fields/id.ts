import Type, { type TUnsafe } from 'typebox';
import { digitsOf, plainText } from '../numbers/digits.ts';
import type { Field } from './field.ts';
import { show } from './show.ts';

/** Ids are parts of keys and indexes. The longest seen in practice have 64 characters. */
export const maxIdLength = 255;

/**
 * An id: an opaque, non-blank text, compared exactly. A number is stored as text. `parseBody` returns long numbers as
 * their source text, so an id beyond 2^53 is never rounded (docs/reference/decisions.md 1, "Ids").
 */
export function id(description: string): Field<string, TUnsafe<string | number>> {
  return {
    schema: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: maxIdLength,
      description,
    }),
    fix: 'a non-blank string (a whole number is read as its text)',
    presence: 'required',
    read: readId,
  };
}

/** An id that the interface shows as an integer (cart_id, line_id). It is read exactly like any other id. */
export function numericId(description: string): Field<string, TUnsafe<number | string>> {
  return {
    ...id(description),
    schema: Type.Unsafe<number | string>({ type: ['integer', 'string'], minLength: 1, description }),
  };
}

const readId: Field<string>['read'] = (value, reading, name) => {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return wholeNumberText(value);
    return reading.refuse(name, 'id', `must be a string or a whole number; received ${show(value)}.`);
  }
  if (typeof value !== 'string') return reading.refuse(name, 'id', `must be a string; received ${show(value)}.`);
  if (reading.numbers?.get(reading.holder)?.has(name))
    return reading.refuse(name, 'id', `must be a string or a whole number; received the number ${value.slice(0, 40)}.`);
  if (value.length > maxIdLength)
    return reading.refuse(name, 'id', `must have at most ${maxIdLength} characters; send only the identifier.`);
  if (value.includes('\u0000') || !value.isWellFormed())
    return reading.refuse(
      name,
      'id',
      'must not contain a NUL character or an unpaired surrogate; send valid Unicode text.',
    );
  return value;
};

/** From 1e21 on, JavaScript writes an exponent instead of the id's zeros. */
function wholeNumberText(value: number): string {
  const text = String(value === 0 ? 0 : value);
  const digits = Number.isSafeInteger(value) ? undefined : digitsOf(text);
  return digits === undefined ? text : plainText(digits);
}
