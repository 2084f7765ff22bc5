import { expect, test } from 'vitest';
import { endToEndFirst } from './start-order.ts';

test('files that run whole processes start first; otherwise the order stays', () => {
  const files = ['/a/large.db.test.ts', '/e2e/truth.e2e.test.ts', '/a/small.test.ts', '/a/start.e2e.test.ts'];
  const order = endToEndFirst(files.map((moduleId) => ({ moduleId }))).map(({ moduleId }) => moduleId);
  expect(order).toEqual([files[1], files[3], files[0], files[2]]);
});
