import { expect, test } from 'vitest';
import { nextRestart } from './restart-delay.ts';

const second = 1_000;
const minute = 60 * second;

test.each([
  { what: 'a single crash', before: 0, lived: 2 * second, crashes: 1, delay: 100 },
  { what: 'the second in a row', before: 1, lived: 2 * second, crashes: 2, delay: 500 },
  { what: 'the third', before: 2, lived: 2 * second, crashes: 3, delay: 1 * second },
  { what: 'the fourth', before: 3, lived: 2 * second, crashes: 4, delay: 2 * second },
  { what: 'the fifth', before: 4, lived: 2 * second, crashes: 5, delay: 5 * second },
  { what: 'after two minutes without a database', before: 25, lived: 1 * second, crashes: 26, delay: 5 * second },
  { what: 'after a day without a database', before: 15_000, lived: 1 * second, crashes: 15_001, delay: 5 * second },
  { what: 'after almost a minute without a crash', before: 7, lived: minute - 1, crashes: 8, delay: 5 * second },
  { what: 'after a minute without a crash', before: 7, lived: minute, crashes: 1, delay: 100 },
])('$what: crash number $crashes waits $delay ms', ({ before, lived, crashes, delay }) => {
  expect(nextRestart(before, lived)).toEqual({ crashes, delay_ms: delay });
});
