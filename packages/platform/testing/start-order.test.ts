import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from './installation.ts';
import { longestFirst, longFiles } from './start-order.ts';

test('files that run whole processes start first; otherwise the order stays', () => {
  const files = ['/a/large.db.test.ts', '/e2e/truth.e2e.test.ts', '/a/small.test.ts', '/a/start.e2e.test.ts'];
  const order = longestFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual([files[1], files[3], files[0], files[2]]);
});

test("of these files, the supervisor's tests start first, and the copy of a checkout last", () => {
  const files = ['/a/start.e2e.test.ts', '/a/small.test.ts', '/e2e/truth.e2e.test.ts', '/a/supervisor.e2e.test.ts'];
  const order = longestFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual([files[3], files[2], files[0], files[1]]);
});

test('other long files start right after them, longest first', () => {
  const files = ['/a/large.db.test.ts', ...longFiles.toReversed().map((file) => `/x${file}`), '/e2e/truth.e2e.test.ts'];
  const order = longestFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual(['/e2e/truth.e2e.test.ts', ...longFiles.map((file) => `/x${file}`), '/a/large.db.test.ts']);
});

test('each long file exists', () => {
  for (const file of longFiles) expect(existsSync(path.join(checkout, file)), file).toBe(true);
});
