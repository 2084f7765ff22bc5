import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';

/**
 * Long enough for every label seen, and short enough for a database index (PostgreSQL refuses keys over 2,704 bytes).
 */
const maxLabel = 255;

/**
 * A label: a short text that names something (origin, game_name). A required label may be blank, because nothing
 * depends on its content. Only ids must be non-blank (docs/reference/decisions.md 1).
 */
export function label(description: string): Field<string, TUnsafe<string>> {
  return textField(description, maxLabel);
}

/** Free text of any length (note, user_agent), limited only by the body limit. */
export function freeText(description: string): Field<string, TUnsafe<string>> {
  return textField(description, undefined);
}

function textField(description: string, maxLength: number | undefined): Field<string, TUnsafe<string>> {
  const limit = maxLength === undefined ? {} : { maxLength };
  return {
    schema: Type.Unsafe<string>({ type: 'string', ...limit, description }),
    fix: 'a string',
    presence: 'required',
    blankIsValue: true,
    read(value, reading, name) {
      // A number is accepted as a label: vendor_name 1 is "1". It is refused as free text, where it has no meaning.
      const text = typeof value === 'number' && maxLength !== undefined ? String(value) : value;
      if (typeof text !== 'string') return reading.refuse(name, 'text', `must be a string; received ${show(value)}.`);
      if (maxLength !== undefined && text.length > maxLength)
        return reading.refuse(name, 'text', `must have at most ${maxLength} characters; shorten it.`);
      return storable(text);
    },
  };
}

/**
 * PostgreSQL texts cannot contain NUL or half a surrogate pair. Neither has a meaning in a text, so NUL is removed and
 * half a pair is replaced.
 */
export function storable(text: string): string {
  const clean = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}
