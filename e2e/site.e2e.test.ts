import { expect, test } from 'vitest';
import { site } from '../faults/scenarios/site.ts';
import { setupDatabase } from '../packages/platform/test/database.ts';
import { expectKept, figure } from './promises.ts';

const { url } = await setupDatabase();

test('P1, P6: what pages of players were told is done is done once, while the processes that told them are killed', {
  timeout: 120_000,
}, async () => {
  const outcomes = await expectKept(site, 3, url);
  expect(figure(outcomes, 'killed_api')).toBeGreaterThan(0);
  expect(figure(outcomes, 'tracked')).toBeGreaterThan(50);
  expect(figure(outcomes, 'credits')).toBe(60);
  expect(figure(outcomes, 'read')).toBe(120);
});
