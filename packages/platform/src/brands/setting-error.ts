import type { TSchema } from 'typebox';
import { Value } from '../schema-check.ts';
import { describeForm } from './setting-forms.ts';

/** One error in a configuration: where it is, and what to write instead. */
export interface SettingError {
  /** As a person would write it: brands[0].operator.auth.type */
  path: string;
  message: string;
}

interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
}

/** Turns the validator's errors into sentences. Returns one sentence for each place: that of the first useful error. */
export function explain(schema: TSchema, value: unknown, path: string): SettingError[] {
  const found = new Map<string, string>();
  for (const error of Value.Errors(schema, value) as unknown as SchemaError[]) {
    for (const { below, message } of sentences(error, schemaAt(schema, error.schemaPath))) {
      const place = path + inWords(error.instancePath) + below;
      if (!found.has(place)) found.set(place, message);
    }
  }
  return [...found].map(([place, message]) => ({ path: place.replace(/^\./, ''), message }));
}

/** Converts a JSON pointer: `/brands/0/name` becomes `.brands[0].name`. */
function inWords(pointer: string): string {
  const path = pointer.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.');
  return path.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The schema of the setting that an error is about. */
function schemaAt(schema: unknown, pointer: string): unknown {
  const step = (node: unknown, name: string) => (node as Record<string, unknown> | undefined)?.[name];
  return pointer.split('/').slice(1).reduce(step, schema);
}

function sentences({ keyword, params, message }: SchemaError, schema: unknown): { below: string; message: string }[] {
  const here = (text: string) => [{ below: '', message: text }];
  switch (keyword) {
    case 'required':
      return names(params.requiredProperties).map((name) => ({ below: `.${name}`, message: 'is missing: add it' }));
    case 'boolean':
      return here('is not a setting: correct its spelling or remove it');
    case 'additionalProperties':
      // Each unknown name is already reported by the rule `boolean`.
      return [];
    case 'type':
      return here(`must be ${kindOf(String(params.type), schema)}`);
    case 'enum':
      return here(`must be one of ${names(params.allowedValues).join(', ')}`);
    case 'pattern':
      return here(`must be ${describeForm(String(params.pattern))}`);
    case 'minimum':
      return here(`must be at least ${String(params.limit)}`);
    case 'maximum':
      return here(`must be at most ${String(params.limit)}`);
    case 'minLength':
      return here(
        params.limit === 1 ? 'must not be empty' : `must be at least ${String(params.limit)} characters long`,
      );
    case 'maxLength':
      return here(`must be at most ${String(params.limit)} characters long`);
    case 'minItems':
      return here(`must have at least ${String(params.limit)} entries`);
    case 'maxItems':
      return here(`must have at most ${String(params.limit)} entries`);
    default:
      return here(message);
  }
}

function kindOf(type: string, schema: unknown): string {
  const { minimum, maximum } = (schema ?? {}) as { minimum?: number; maximum?: number };
  if (minimum !== undefined && maximum !== undefined && type === 'integer')
    return `a whole number from ${minimum} to ${maximum}`;
  if (minimum !== undefined && maximum !== undefined && type === 'number')
    return `a number from ${minimum} to ${maximum}`;
  return words[type] ?? type;
}

const words: Record<string, string> = {
  string: 'a string: put it in quotes',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of names to values',
};

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
