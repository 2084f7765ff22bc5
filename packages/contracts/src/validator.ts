import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { FieldError } from './field-error.ts';

/** A compiled published schema. It checks whether a value has exactly the published form. */
export interface Validator<T> {
  accepts(value: unknown): value is T;
  /** The errors of a value; empty if it is valid. */
  errors(value: unknown): FieldError[];
}

/**
 * Compiles a schema of the interface at first use. It is for messages that one side must write exactly as published:
 * the platform's calls to an operator, answers of the notification API, samples. Events of operators are not validated
 * this way but by `readEvent`, which is more tolerant.
 */
export function validator<S extends TSchema>(schema: S): Validator<Static<S>> {
  let compiled: ReturnType<typeof Compile<S>> | undefined;
  const get = () => {
    compiled ??= Compile(schema);
    return compiled;
  };
  return {
    accepts: (value): value is Static<S> => get().Check(value),
    errors: (value) =>
      [...get().Errors(value)].map(({ instancePath, keyword, message }) => ({
        path: pathOf(instancePath),
        rule: keyword,
        message: `${pathOf(instancePath) || 'The value'} ${message}.`,
      })),
  };
}

/** Converts a JSON pointer to the paths of our messages: `/bets/0/odds` becomes `bets[0].odds`. */
function pathOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]')
    .replaceAll('/', '.');
}
