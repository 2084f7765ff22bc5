import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { segmentsGuide } from './guide.ts';

test('docs/guides/segments.md is up to date: write it again with `npm run docs`', () => {
  const path = new URL('../../../../../docs/guides/segments.md', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(segmentsGuide());
});
