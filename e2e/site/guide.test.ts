import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../packages/browser/src/page/config/read.ts';

/*
 * Compares docs/guides/site.md with the script: keys, defaults, texts and colors. Its functions and classes are compared in a
 * browser, where they are visible (packages/platform/src/site/script/names.e2e.test.ts).
 */
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/guides/site.md');
/** Returns the texts that are in backquotes in a cell of a table. */
const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

const settingsOf = (integrationVersion: string) => readSettings({ integrationVersion }, 'crm', () => {});

/** Keys as a page writes them, with their defaults. Keys that decide which version is read, and when, are not included. */
function flat(settings: ReturnType<typeof settingsOf>): Map<string, unknown> {
  const { enableEventTracking, enablePendingRewards, enableCrmIntegration, pushWorkerUrl, inbox, texts } = settings;
  const under = (prefix: string, values: object) =>
    Object.entries(values).map(([key, value]) => [`crm.${prefix}${key}`, value] as const);
  return new Map([
    ...under('', { enableEventTracking, enablePendingRewards, enableCrmIntegration, pushWorkerUrl }),
    ...under('inbox.', inbox),
    ...under('translations.', texts),
  ]);
}

test('the guide lists every key and text, with its default in both versions', () => {
  const documented = new Map(
    guide.split('\n').flatMap((line) => {
      const [name = '', , ...defaults] = line.split(/ ?\| ?/).slice(1);
      return name.startsWith('`crm.') ? [[words(name)[0] ?? '', defaults] as const] : [];
    }),
  );
  for (const [place, version] of ['1.0', '1.1'].entries()) {
    for (const [key, value] of flat(settingsOf(version))) {
      const told = documented.get(key)?.[place] ?? '';
      // Empty defaults are explained in words.
      if (value === '') expect([key, told]).not.toEqual([key, '']);
      else expect([key, words(told)]).toEqual([key, [`${value}`]]);
    }
  }
});

test('the guide lists every property that a page can set', () => {
  const properties = (text: string) => [...new Set(text.match(/--crm-[a-z-]+/g))].sort();
  expect(properties(guide)).toEqual(properties(read('packages/browser/src/page/ui/style/theme.css')));
});
