import type { FieldError } from '@croupier/contracts';
import type { TSchema } from 'typebox';
import { Compile } from '../../schema-check.ts';
import { readParameters } from './read-parameters.ts';

export type PartName = 'path' | 'query' | 'body';
export type PartRead = { ok: true; value: unknown } | { ok: false; errors: FieldError[] };

/**
 * A reader for one part of a call: its path parameters, query or body.
 *
 * Path and query are always text, so their values are converted to numbers and booleans if the schema requires them
 * (read-parameters.ts). Bodies are not converted, because "1" is not 1 in JSON. An unknown parameter is an error, because a
 * filter with a typing mistake must not return the whole list.
 */
export function partReader(schema: TSchema | undefined, part: PartName): (given: unknown) => PartRead {
  if (schema === undefined) return () => ({ ok: true, value: {} });
  const validator = Compile(schema);
  return (given) => {
    const filled = validator.Default(structuredClone(given ?? {}));
    const value = part === 'body' ? filled : readParameters(schema, filled);
    if (validator.Check(value)) return { ok: true, value };
    return { ok: false, errors: namedErrors(validator.Errors(value), part) };
  };
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

/** Maximum number of errors in one answer; the caller sees the rest with the next call. */
const maxErrors = 20;

/**
 * Returns one error per field: the first useful one. An unknown field is reported under its name, with the rule
 * `additionalProperties`. TypeBox reports it with the rule `boolean`, which docs/errors.md uses for values that must be true
 * or false.
 */
function namedErrors(found: readonly SchemaError[], part: string): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const error of found) {
    if (error.keyword === 'additionalProperties') continue;
    for (const path of pathsOf(error)) {
      if (errors.size === maxErrors) return [...errors.values()];
      if (errors.has(path)) continue;
      const isUnknown = error.keyword === 'boolean';
      const message = isUnknown ? 'is unknown' : messageOf(error);
      const rule = isUnknown ? 'additionalProperties' : error.keyword;
      errors.set(path, { path, rule, message: `${path || part} ${message}` });
    }
  }
  return [...errors.values()];
}

function pathsOf(error: SchemaError): string[] {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword !== 'required' || !('requiredProperties' in error.params)) return [path];
  const missing = error.params.requiredProperties as string[];
  return missing.map((name) => (path === '' ? name : `${path}.${name}`));
}

function messageOf(error: SchemaError): string {
  if (error.keyword === 'required') return 'is missing';
  if (error.keyword === 'enum' && 'allowedValues' in error.params) {
    return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  }
  return error.message;
}
