import { expect, test } from 'vitest';
import { heldTransactions } from '../faults/scenarios/held-transactions.ts';
import { expectKept, figure } from './promises.ts';

test('P1, P11: held transactions make the reader skip nothing and hold up nobody else', {
  timeout: 90_000,
}, async () => {
  const outcomes = await expectKept(heldTransactions, 8);
  expect(figure(outcomes, 'followed')).toBeGreaterThan(100);
});
