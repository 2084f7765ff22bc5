import { expect, test } from 'vitest';
import { nextRestart } from './restart-delay.ts';

test('crashes in a row wait longer and longer, up to half a minute', () => {
  const delays: number[] = [];
  let crashes = 0;
  for (let n = 0; n < 9; n++) {
    const next = nextRestart(crashes, 1_000);
    crashes = next.crashes;
    delays.push(next.delay_ms);
  }
  expect(delays).toEqual([100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 30_000, 30_000]);
});

test('a process that lived for a minute starts from the shortest wait again', () => {
  expect(nextRestart(7, 59_999)).toEqual({ crashes: 8, delay_ms: 30_000 });
  expect(nextRestart(7, 60_000)).toEqual({ crashes: 1, delay_ms: 100 });
});
