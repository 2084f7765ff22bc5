import { expect, test } from 'vitest';
import { planKills } from './fault-plan.ts';

test('the same seed gives the same kills, another seed gives others', () => {
  expect(planKills('7', 120)).toEqual(planKills('7', 120));
  expect(planKills('7', 120)).not.toEqual(planKills('8', 120));
});

test.each(Array.from({ length: 50 }, (_, seed) => String(seed)))('seed %s hits every role within 20 s', (seed) => {
  const kills = planKills(seed, 20);
  expect(new Set(kills.map(({ role }) => role)).size).toBe(3);
  expect(kills.every(({ at_ms }, i) => at_ms >= (kills[i - 1]?.at_ms ?? 0) && at_ms < 20_000)).toBe(true);
});
