import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../packages/browser/src/page/config/read.ts';
import { textsOf } from '../../packages/browser/src/page/ui/texts.ts';

/*
 * docs/guides/site.md against the script: keys, defaults, texts and colours. Its functions and classes are compared in a
 * browser, where they are seen (packages/platform/src/site/script/names.e2e.test.ts).
 */
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/guides/site.md');
const rowsOf = (text: string) => text.split('\n').map((line) => line.split(/ ?\| ?/).slice(1, -1));
/** What stands in a cell, without its quotes. */
const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

const settingsOf = (integrationVersion: string) => readSettings({ integrationVersion }, 'crm', () => {});

/** Keys as a page writes them, with what they are when it does not. */
function flat({ inbox, texts, ...rest }: ReturnType<typeof settingsOf>): Map<string, unknown> {
  const under = (prefix: string, values: object) =>
    Object.entries(values).map(([key, value]) => [`crm.${prefix}${key}`, value] as const);
  return new Map([...under('', rest), ...under('inbox.', inbox), ...under('translations.', texts)]);
}

test('every key of the configuration stands in the guide, with its default in both versions', () => {
  const documented = new Map(
    rowsOf(guide)
      .filter(([name]) => name?.startsWith('`crm.'))
      .map((row) => [words(row[0])[0], row]),
  );
  const defaults = [flat(settingsOf('1.0')), flat(settingsOf('1.1'))] as const;
  // These two decide what is read, and are no part of it.
  const others = ['crm.integrationVersion', 'crm.autoInit', 'crm.version'];
  const keys = [...defaults[0].keys(), 'crm.integrationVersion', 'crm.autoInit'].filter((key) => key !== 'crm.version');
  expect([...documented.keys()].sort()).toEqual([...new Set(keys)].sort());
  for (const [place, values] of defaults.entries()) {
    for (const [key, value] of values) {
      if (others.includes(key)) continue;
      const told = documented.get(key)?.[2 + place] ?? '';
      // What is empty is explained in words.
      if (value === '') expect([key, told]).not.toEqual([key, '']);
      else expect([key, words(told)]).toEqual([key, [`${value}`]]);
    }
  }
});

test('every other text stands there with its default', () => {
  const [, after = ''] = read('packages/browser/src/page/ui/texts.ts').split('const added');
  const keys = [...(after.split('};')[0] ?? '').matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key);
  const [, table = ''] = guide.split('| Key | Default | Where |');
  const listed = rowsOf(table.split('\n\n')[0] ?? '');
  const documented = new Map(
    listed.flatMap(([names, defaults]) => words(names).map((name, place) => [name, words(defaults)[place]])),
  );
  const text = textsOf(settingsOf('1.1'));
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect([key, documented.get(key)]).toEqual([key, text(key ?? '')]);
});

test('every property that a page can set stands there', () => {
  const properties = (text: string) => [...new Set(text.match(/--crm-[a-z-]+/g))].sort();
  expect(properties(guide)).toEqual(properties(read('packages/browser/src/page/ui/style/theme.css')));
});
