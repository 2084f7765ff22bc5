import { expect, test } from 'vitest';
import { bonuses, bonusesIdempotent } from '../faults/scenarios/bonuses.ts';
import { setupDatabase } from '../packages/platform/test/database.ts';
import { expectKept, figure } from './promises.ts';

const databases = [await setupDatabase(), await setupDatabase()];

test.each([bonuses, bonusesIdempotent].map((scenario, place) => ({ ...scenario, url: databases[place]?.url })))(
  'P6: $name: at most one credit per intent while calls fail and processes are killed',
  {
    timeout: 180_000,
  },
  async (scenario) => {
    const outcomes = await expectKept(scenario, 6, scenario.url);
    expect(figure(outcomes, 'intents')).toBe(600);
    expect(figure(outcomes, 'credited')).toBeGreaterThan(100);
  },
);
