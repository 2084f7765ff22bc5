import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allTotals } from '../families/index.ts';
import { sessionScopes } from '../families/sessions/index.ts';
import { traitCatalog } from './catalog.ts';
import { type Column, columnsOf } from './formula.ts';
import { traitsGuide } from './guide.ts';

test('names are snake_case, unique, and do not end with a window', () => {
  const names = traitCatalog.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(name).not.toMatch(/_today$/);
  }
});

test('every column that a trait uses exists', () => {
  const known = new Set<Column>();
  for (const { spec } of allTotals) {
    const dates = spec.dated.flatMap((name) => [`${name}_first_at`, `${name}_last_at`]);
    for (const name of [...spec.counts, ...spec.sums, ...spec.biggest, ...dates]) known.add(`${spec.family}.${name}`);
  }
  for (const scope of sessionScopes) {
    for (const name of ['count', 'length', 'longest', 'loss_biggest', 'last_loss', 'first_at', 'last_at'])
      known.add(`session.${scope}_session_${name}`);
  }
  const missing = traitCatalog.flatMap(({ name, source }) => {
    const columns = source.from === 'totals' ? columnsOf(source.formula) : [];
    return columns.filter((column) => !known.has(column)).map((column) => `${name}: ${column}`);
  });
  expect(missing).toEqual([]);
});

test('sums, counts and ratios have every window; first and last dates only the lifetime (docs/reference/decisions.md 3)', () => {
  for (const { name, source, windows } of traitCatalog) {
    if (source.from !== 'totals') continue;
    const isDate = 'first' in source.formula || 'last' in source.formula;
    expect([name, windows]).toEqual([name, isDate ? 'lifetime' : 'every']);
  }
});

test('docs/guides/traits.md is up to date: run `npm run docs` to write it again', () => {
  const path = new URL('../../../../../docs/guides/traits.md', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(traitsGuide());
});
