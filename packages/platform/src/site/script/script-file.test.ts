import { describe, expect, test } from 'vitest';
import { encodingFor, etagOf, isKnown, scriptFile } from './script-file.ts';

describe('the encoding of a script', () => {
  const cases: [accepted: string | undefined, encoding: string][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.000, gzip; q=0', 'plain'],
    ['BR', 'br'],
    ['identity', 'plain'],
    ['', 'plain'],
    [undefined, 'plain'],
  ];
  test.each(cases)('for a caller that accepts %s is %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });
});

test('a caller that has a script is recognized by the tag of its encoding', async () => {
  const file = await scriptFile('let a = 1;');
  const tag = etagOf(file, 'gzip');
  expect(tag).not.toBe(etagOf(file, 'br'));
  expect(isKnown(tag, `"other", W/${tag}`)).toBe(true);
  expect(isKnown(tag, '*')).toBe(true);
  expect(isKnown(tag, etagOf(file, 'br'))).toBe(false);
  expect(isKnown(tag, undefined)).toBe(false);
});
