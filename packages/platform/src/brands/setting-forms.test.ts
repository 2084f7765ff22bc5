import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { fileSchema } from '../config/settings.ts';
import { brandSettingsSchema, emailSchema, operatorAuthSchemas, operatorFields } from './index.ts';
import { describeForm, hasForm } from './setting-forms.ts';

/** Every pattern in a schema. Keys of a record are patterns, too. */
function patterns(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patterns(value),
  );
}

test('every pattern of a setting has a description, so that no message shows a regular expression', () => {
  const schemas: unknown[] = [fileSchema, brandSettingsSchema, emailSchema, operatorAuthSchemas, operatorFields];
  const found = schemas.flatMap((schema) => patterns(schema as TSchema));
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((pattern) => !hasForm(pattern))).toEqual([]);
  expect(describeForm('^no such pattern$')).not.toContain('^');
});
