import { expect, test } from 'vitest';
import { paceOf } from './pace.ts';

const second = 1_000_000;
const now = 1_000 * second;

test.each([
  ['the first step asks for one', 20, null, 1],
  ['half a second, at 20 per second', 20, now - second / 2, 10],
  ['49 ms are not enough for one', 20, now - 49_000, 0],
  ['after a pause of an hour, only one second is caught up', 20, now - 3_600 * second, 20],
  ['one second, at 1 per second', 1, now - second, 1],
  ['after the clock was set back, time counts from now', 20, now + second, 0],
])('%s', (_name, perSecond, pacedTo, players) => {
  expect(paceOf(perSecond, pacedTo, now).players).toBe(players);
});

test('fractions of a player carry over from step to step', () => {
  let asked = 0;
  let pacedTo = now;
  for (let at = now; at <= now + 60 * second; at += 70_000) {
    const pace = paceOf(7, pacedTo, at);
    if (pace.players === 0) continue;
    asked += pace.players;
    pacedTo = pace.pacedTo(pace.players);
  }
  expect(asked).toBeGreaterThanOrEqual(7 * 60 - 1);
  expect(asked).toBeLessThanOrEqual(7 * 60);
});

test('a step that found fewer players than it was allowed has used up its time', () => {
  expect(paceOf(20, now - second, now).pacedTo(3)).toBe(now);
});
