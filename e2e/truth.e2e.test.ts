import { expect, test } from 'vitest';
import { playTruth } from '../faults/scenarios/truth.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';

const { pool, url } = await setupDatabase();

test("P2 to P4: the platform's totals equal the simulator's for every player after 100,000 events in disorder", {
  // It takes 2 to 5 minutes, depending on what else runs on the machine.
  timeout: 600_000,
}, async () => {
  const outcomes = await playTruth(pool, url, { seed: 'e2e', events: 100_000, players: 500, say: () => {} });
  expect(outcomes.filter(({ kept }) => !kept)).toEqual([]);
  const counts = Object.assign({}, ...outcomes.map((outcome) => outcome.counts));
  expect(counts.messages).toBeGreaterThan(105_000);
  expect(counts.players).toBeGreaterThan(400);
  expect(counts.label_conflict).toBeGreaterThan(100);
  const kinds = ['rounds', 'sessions', 'bets', 'purchases', 'tickets', 'bonuses', 'carts', 'balances'];
  for (const kind of kinds) expect(counts[kind]).toBeGreaterThan(500);
});
