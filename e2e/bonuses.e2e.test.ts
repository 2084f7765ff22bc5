import { expect, test } from 'vitest';
import { bonuses, bonusesIdempotent } from '../faults/scenarios/bonuses.ts';
import { expectKept, figure } from './promises.ts';

test.each([bonuses, bonusesIdempotent])(
  'P6: $name: at most one credit per intent while calls fail and processes are killed',
  {
    timeout: 180_000,
  },
  async (scenario) => {
    const outcomes = await expectKept(scenario, 6);
    expect(figure(outcomes, 'intents')).toBe(600);
    expect(figure(outcomes, 'credited')).toBeGreaterThan(100);
  },
);
