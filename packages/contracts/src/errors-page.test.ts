import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flagMeanings, problems, ruleMeanings, siteErrors } from './index.ts';

/*
 * docs/errors.md is the page on which operators look up codes. It must contain exactly what the code defines.
 */
const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

/** The cells of each row below a heading; the first cell without its backticks. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name = '', rest = '']) => [
    name,
    ...rest.split(' | '),
  ]);
}

test('docs/errors.md lists every problem code with status, meaning and advice', () => {
  const expected = Object.entries(problems).map(([code, { status, title, advice }]) => [
    code,
    String(status),
    title,
    advice,
  ]);
  expect(rowsBelow('Problem codes')).toEqual(expected);
});

test('docs/errors.md lists every rule of a field', () => {
  expect(rowsBelow('Rules of fields')).toEqual(Object.entries(ruleMeanings));
});

test('docs/errors.md lists every flag', () => {
  expect(rowsBelow('Flags')).toEqual(Object.entries(flagMeanings));
});

test('docs/errors.md lists every error of the site API with status, number and message', () => {
  const expected = Object.entries(siteErrors).map(([code, { status, id, message }]) => [
    code,
    String(status),
    String(id),
    message,
  ]);
  expect(rowsBelow('Errors of the site API')).toEqual(expected);
});

test('numbers of the site API are unique, and each begins with its status', () => {
  const all = Object.values(siteErrors);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.filter(({ id, status }) => Math.floor(id / 100) !== status)).toEqual([]);
});
