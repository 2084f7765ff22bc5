import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { brandSettingsSchema, operatorFields } from './index.ts';

/*
 * A setting has an effect if any code reads it. Reading, checking and showing settings does not count, so the code of
 * brands, config, command line and console is left out.
 */
const source = new URL('..', import.meta.url).pathname;
const withoutEffect = /^(brands|config|cli|console)\/|\.test\.ts$/;

async function codeThatUsesSettings(): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (!withoutEffect.test(file)) texts.push(await readFile(`${source}/${file}`, 'utf8'));
  }
  return texts.join('\n');
}

test('a setting is marked as having no effect yet if and only if no code reads it', async () => {
  const code = await codeThatUsesSettings();
  const fields = Object.entries({ ...brandSettingsSchema.properties, ...operatorFields });
  const unread = fields.filter(([name]) => !new RegExp(`\\b${name}\\b`).test(code)).map(([name]) => name);
  const marked = fields.filter(([, schema]) => 'takes_effect_with' in schema).map(([name]) => name);
  expect(marked).toEqual(unread);
});
