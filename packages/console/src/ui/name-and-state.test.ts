import { expect, test } from 'vitest';
import { matches } from './name-and-state.tsx';

const item = { code: 'high_rollers', name: 'High rollers', state: 'live' };

test.each([
  [{}, true],
  [{ name: 'ROLL' }, true],
  [{ name: 'high_' }, true],
  [{ name: 'low' }, false],
  [{ state: 'live' }, true],
  [{ name: 'high', state: 'paused' }, false],
])('the filter %j finds it: %s', (filters, isFound) => {
  expect(matches(item, filters)).toBe(isFound);
});
