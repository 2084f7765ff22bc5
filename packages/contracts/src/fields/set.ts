import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';
import { storable } from './text.ts';

const maxLength = 100;

/**
 * A closed set: any value outside it is refused. Letter case is ignored, and the result has the interface's spelling
 * (docs/reference/decisions.md 1, "Enumerations"). The schema publishes only that spelling, so that generated clients
 * send it.
 */
export function closedSet<const V extends string>(values: readonly V[], description: string): Field<V, TUnsafe<V>> {
  const spellings = spellingTable(values);
  return {
    schema: Type.Unsafe<V>({ type: 'string', enum: [...values], description }),
    fix: `one of ${values.join(', ')}`,
    presence: 'required',
    read(value, reading, name) {
      const known = typeof value === 'string' ? find(spellings, value) : undefined;
      if (known !== undefined) return known;
      return reading.refuse(name, 'one_of', `must be one of ${values.join(', ')}; received ${show(value)}.`);
    },
  };
}

/**
 * An open set: known values are read in the interface's spelling. Any other value is kept as sent and flagged
 * `unknown_value`.
 */
export function openSet(values: readonly string[], description: string): Field<string, TUnsafe<string>> {
  const spellings = spellingTable(values);
  const known = `Known values: ${values.join(', ')}. Other values are accepted and shown as unknown.`;
  return {
    schema: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength, description: `${description} ${known}` }),
    fix: `a string, usually one of ${values.join(', ')}`,
    presence: 'required',
    read(value, reading, name) {
      if (typeof value !== 'string') return reading.refuse(name, 'text', `must be a string; received ${show(value)}.`);
      const spelling = find(spellings, value);
      if (spelling !== undefined) return spelling;
      if (value.length > maxLength)
        return reading.refuse(
          name,
          'text',
          `must have at most ${maxLength} characters; send only the name of the value.`,
        );
      reading.flag('unknown_value');
      return storable(value.trim());
    },
  };
}

/** Contains each value under its own and under its lower-case spelling, so that the usual spelling is found immediately. */
function spellingTable<V extends string>(values: readonly V[]): ReadonlyMap<string, V> {
  return new Map([
    ...values.map((value) => [value.toLowerCase(), value] as const),
    ...values.map((v) => [v, v] as const),
  ]);
}

function find<V extends string>(spellings: ReadonlyMap<string, V>, value: string): V | undefined {
  return spellings.get(value) ?? spellings.get(value.trim().toLowerCase());
}
