import { expect, test } from 'vitest';
import { kill } from '../faults/scenarios/kill.ts';
import { expectKept, figure } from './promises.ts';

test('P1 to P4, P11: nothing acknowledged is lost or counted twice when api, worker and PostgreSQL are killed under load', {
  timeout: 120_000,
}, async () => {
  const outcomes = await expectKept(kill, 20);
  for (const role of ['api', 'worker', 'postgres']) expect(figure(outcomes, `killed_${role}`)).toBeGreaterThan(0);
  expect(figure(outcomes, 'failed_attempts')).toBeGreaterThan(0);
  expect(figure(outcomes, 'acknowledged')).toBeGreaterThan(1_000);
});
