import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { segmentsGuide } from './guide.ts';

test('docs/guides/segments.md is up to date: run `npm run docs` to write it again', () => {
  const path = new URL('../../../../../docs/guides/segments.md', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(segmentsGuide());
});
