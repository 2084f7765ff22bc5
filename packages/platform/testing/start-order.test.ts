import { expect, test } from 'vitest';
import { endToEndFirst } from './start-order.ts';

test('files that run whole processes start first; otherwise the order stays', () => {
  const files = ['/a/large.db.test.ts', '/e2e/truth.e2e.test.ts', '/a/small.test.ts', '/a/start.e2e.test.ts'];
  const order = endToEndFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual([files[1], files[3], files[0], files[2]]);
});

test("the supervisor's tests are the first of them, the copy of a checkout is the last", () => {
  const files = ['/a/start.e2e.test.ts', '/a/small.test.ts', '/e2e/truth.e2e.test.ts', '/a/supervisor.e2e.test.ts'];
  const order = endToEndFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual([files[3], files[2], files[0], files[1]]);
});
