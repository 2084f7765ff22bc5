import Type, { type TUnsafe } from 'typebox';
import type { Field } from './field.ts';
import { show } from './show.ts';
import { storable } from './text.ts';

export type JsonObject = { [key: string]: unknown };

/** An object with free keys (meta, data). An empty array counts as an empty object, because PHP encodes it that way. */
export function freeObject(description: string): Field<JsonObject, TUnsafe<JsonObject>> {
  return {
    schema: Type.Unsafe<JsonObject>({ type: 'object', description }),
    fix: 'an object',
    presence: 'required',
    read(value, reading, name) {
      if (Array.isArray(value) && value.length === 0) return {};
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return storableObject(value);
      return reading.refuse(name, 'object', `must be an object; received ${show(value)}.`);
    },
  };
}

/** Any JSON value, kept unchanged. It is for fields that operators send and whose shape does not matter. */
export function anything(description: string): Field<unknown, TUnsafe<unknown>> {
  return {
    schema: Type.Unsafe<unknown>({ description }),
    fix: 'any JSON value',
    presence: 'required',
    read: storableValue,
  };
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  return typeof value === 'object' && value !== null ? storableObject(value) : value;
}

function storableObject(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storable(key), storableValue(entry)]));
}
