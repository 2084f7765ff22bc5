import { expect, test } from 'vitest';
import type { Fields } from '../fields/field.ts';
import { eventKinds, messages } from '../index.ts';
import { optionalFields } from './optional-fields.ts';

/**
 * The path of every optional field, and whether the field is left out if its form is invalid. Includes inner fields.
 */
function optionalBelow(fields: Fields, prefix = ''): [path: string, isInformational: boolean][] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.presence === 'optional' ? [[prefix + name, field.isInformational === true] as [string, boolean]] : []),
    ...(field.inner ? optionalBelow(field.inner, `${prefix}${name}.`) : []),
  ]);
}

test.each(eventKinds)('%s: every optional field is classified, and read accordingly', (kind) => {
  const decided = Object.entries(optionalFields[kind]).map(([path, carries]) => [path, carries === 'nothing']);
  expect(Object.fromEntries(optionalBelow(messages[kind].fields))).toEqual(Object.fromEntries(decided));
});
