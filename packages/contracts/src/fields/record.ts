import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { Field, Fields, Reading, ReadOfFields, WireOfFields } from './field.ts';
import { likenessReader } from './likeness.ts';
import { show } from './show.ts';

/** An object of known fields inside another one (a sports selection, a lottery line). Unknown fields are ignored. */
export function record<const F extends Fields>(
  description: string,
  fields: F,
): Field<ReadOfFields<F>, TUnsafe<WireOfFields<F>>> {
  const read = fieldsReader(fields);
  return {
    schema: Type.Unsafe<WireOfFields<F>>({ ...fieldsSchema(fields), description }),
    fix: 'an object',
    presence: 'required',
    inner: fields,
    read(value, reading, name) {
      if (!isObject(value)) return reading.refuse(name, 'object', `must be an object; received ${show(value)}.`);
      const { prefix, holder } = reading;
      reading.prefix = `${prefix}${name}.`;
      reading.holder = value;
      const result = {};
      read(value, reading, result);
      reading.prefix = prefix;
      reading.holder = holder;
      return result as ReadOfFields<F>;
    },
  };
}

/** A list whose entries are all read by `entry`. */
export function list<T, S extends TSchema>(description: string, entry: Field<T, S>) {
  return {
    schema: Type.Array(entry.schema, { description }),
    fix: 'an array',
    presence: 'required' as const,
    ...(entry.inner && { inner: entry.inner }),
    read(value: unknown, reading: Reading, name: string): T[] | undefined {
      if (!Array.isArray(value)) return reading.refuse(name, 'array', `must be an array; received ${show(value)}.`);
      const result: T[] = [];
      for (let i = 0; i < value.length; i++) {
        const item: unknown = value[i];
        const path = `${name}[${i}]`;
        if (item === null || item === undefined) reading.refuse(path, 'required', `is required; send ${entry.fix}.`);
        else {
          const read = entry.read(item, reading, path);
          if (read !== undefined) result.push(read);
        }
      }
      return result;
    },
  };
}

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsSchema(fields: Fields) {
  return Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])));
}

/**
 * Reads existing fields into `result`, and reports missing required fields, in one pass. `body` comes from JSON.parse,
 * whose prototype has none of the interface's names, so plain property access is safe and twice as fast.
 */
export function fieldsReader(fields: Fields) {
  const entries = Object.entries(fields);
  const noteLikeness = likenessReader(Object.keys(fields));
  return (body: { [key: string]: unknown }, reading: Reading, result: { [key: string]: unknown }): void => {
    if (reading.looksForLikeness) noteLikeness(body, reading);
    for (const [name, field] of entries) {
      const value = body[name];
      if (isAbsent(value, field)) {
        if (field.fallback !== undefined) result[name] = field.fallback;
        else if (field.presence === 'required') refuseMissing(value, field, reading, name);
        continue;
      }
      const read = field.read(value, reading, name);
      if (read !== undefined) result[name] = read;
    }
  };
}

export function refuseMissing(value: unknown, field: Field<unknown>, reading: Reading, name: string): void {
  const rule = typeof value === 'string' ? 'is required and must not be blank' : 'is required';
  reading.refuse(name, 'required', `${rule}; send ${field.fix}.`);
}

/** Null counts as absent, and so does a blank text if blank is not a valid value. */
export function isAbsent(value: unknown, field: Field<unknown>): boolean {
  return value === undefined || value === null || (field.blankIsValue !== true && isBlank(value));
}

/** The first character almost always decides: a closer check is needed only if it is whitespace. */
function isBlank(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value.length === 0) return true;
  const first = value.charCodeAt(0);
  return (first <= 32 || first >= 160) && value.trim() === '';
}
