import { expect, test } from 'vitest';
import { playMillion } from '../faults/million/million.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';

const { pool, url } = await setupDatabase();

test('P1 to P4, P16: a small version of the million: days are packed, sealed and dropped while events continue', {
  timeout: 120_000,
}, async () => {
  const { outcomes, differences, kinds } = await playMillion(pool, url, {
    seed: 'e2e',
    events: 12_000,
    days: 8,
    say: () => {},
  });
  expect(differences).toEqual([]);
  expect(outcomes.filter(({ kept }) => !kept)).toEqual([]);
  expect(Object.keys(kinds)).toHaveLength(16);
  const counts = Object.assign({}, ...outcomes.map((outcome) => outcome.counts));
  expect(counts.dropped).toBeGreaterThan(2);
  expect(counts.rounds).toBeGreaterThan(1_000);
  expect(counts.memberships).toBeGreaterThan(300);
  expect(counts.cause_event).toBeGreaterThan(500);
});
