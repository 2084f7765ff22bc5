import { readFile } from 'node:fs/promises';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  brandSettingsSchema,
  emailSchema,
  operatorAuthSchemas,
  operatorFields,
  siteJwtSchema,
  testUserSchema,
} from '../brands/index.ts';
import { fileSchema } from './settings.ts';

/*
 * docs/guides/configuration.md has a row for each setting: name, default, meaning. The schemas are authoritative. If a
 * row is missing, the failing test prints it, ready to be pasted.
 */
const guide = await readFile(new URL('../../../../docs/guides/configuration.md', import.meta.url), 'utf8');

type Fields = Record<string, TSchema>;
interface Described {
  default?: unknown;
  description?: string;
  takes_effect_with?: string;
  properties?: Fields;
}

function rows(fields: Fields, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const { default: byDefault, description, takes_effect_with, properties } = schema as Described;
    if (properties !== undefined) return rows(properties, `${prefix}${name}.`);
    if (description === undefined) return [];
    const defaultText = byDefault === undefined ? '' : `\`${JSON.stringify(byDefault)}\``;
    const notYet = takes_effect_with === undefined ? '' : ` **No effect yet**: comes with ${takes_effect_with}.`;
    return [`| \`${prefix}${name}\` | ${defaultText} | ${description}${notYet} |`];
  });
}

describe('the configuration guide describes', () => {
  test.each<[string, Fields]>([
    ['the installation', fileSchema.properties],
    ['a brand', brandSettingsSchema.properties],
    ['an operator', operatorFields],
    ['api_key', operatorAuthSchemas.api_key.properties],
    ['basic', operatorAuthSchemas.basic.properties],
    ['oauth2', operatorAuthSchemas.oauth2.properties],
    ['a test user', testUserSchema.properties],
    ['JWTs', siteJwtSchema.properties],
    ['an SMTP server', emailSchema.properties],
  ])('%s', (_name, fields) => {
    expect(rows(fields).filter((row) => !guide.includes(row))).toEqual([]);
  });
});
