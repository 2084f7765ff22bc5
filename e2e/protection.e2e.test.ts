import { expect, test } from 'vitest';
import { protection } from '../faults/scenarios/protection.ts';
import { setupDatabase } from '../packages/platform/test/database.ts';
import { expectKept, figure } from './promises.ts';

const { url } = await setupDatabase();

test('P5, P8, P12, P13: exclusions, unknown players and withdrawn consents are respected, shown and provable', {
  timeout: 180_000,
}, async () => {
  const outcomes = await expectKept(protection, 6, url);
  expect(figure(outcomes, 'calls')).toBeGreaterThan(50);
  expect(figure(outcomes, 'excluded')).toBe(50);
});
