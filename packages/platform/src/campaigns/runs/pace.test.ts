import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

test('full short rounds double the number of runs up to 500, long ones halve it down to 20', () => {
  const pace = new Pace();
  expect(pace.limit).toBe(20);
  for (const limit of [40, 80, 160, 320, 500, 500]) {
    pace.record(pace.limit, 59);
    expect(pace.limit).toBe(limit);
  }
  for (const limit of [250, 125, 62, 31, 20, 20]) {
    pace.record(pace.limit, 121);
    expect(pace.limit).toBe(limit);
  }
});

test('a short round that is not full, a round of medium length, and a round that begins no runs change nothing', () => {
  const pace = new Pace();
  pace.record(19, 1);
  pace.record(20, 100);
  pace.record(0, 1_000);
  expect(pace.limit).toBe(20);
});
