import { expect, test } from 'vitest';
import { ageOn, birthdayOf, daysToBirthday } from './birth.ts';

test.each([
  ['1990-05-01', '2026-04-30', 35, 1],
  ['1990-05-01', '2026-05-01', 36, 0],
  ['1990-05-01', '2026-05-02', 36, 364],
  ['1990-12-31', '2026-01-01', 35, 364],
  // The birthday is on February 28 in years that are not leap years.
  ['2004-02-29', '2026-02-27', 21, 1],
  ['2004-02-29', '2026-02-28', 22, 0],
  ['2004-02-29', '2028-02-28', 23, 1],
  ['2004-02-29', '2028-02-29', 24, 0],
  ['2004-02-29', '2027-03-01', 23, 365],
  ['2026-05-01', '2026-05-01', 0, 0],
  ['2026-05-02', '2026-05-01', null, 1],
  ['', '2026-05-01', null, null],
  ['1990-02-30', '2026-05-01', null, null],
])('born %s, on %s: %j years old, birthday in %j days', (birth, today, age, days) => {
  expect([ageOn(today, birth), daysToBirthday(today, birth)]).toEqual([age, days]);
});

test('the birthday is a month and a day', () => {
  expect([birthdayOf('1990-05-01'), birthdayOf('soon')]).toEqual(['05-01', null]);
});
