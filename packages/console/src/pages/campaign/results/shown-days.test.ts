import { expect, test } from 'vitest';
import { shownDays } from './shown-days.ts';

const read = { from: '2026-04-02', to: '2026-05-01' };
const endsOf = (days: readonly string[], range = read) => {
  const shown = shownDays(
    days.map((day) => ({ day })),
    range,
  );
  return [shown[0], shown.at(-1), shown.length];
};

test('the days begin with the first day with data', () => {
  expect(endsOf(['2026-04-20', '2026-04-17', '2026-05-01'])).toEqual(['2026-04-17', '2026-05-01', 15]);
  expect(endsOf(['2026-04-02'])).toEqual(['2026-04-02', '2026-05-01', 30]);
});

test('they are at least a week, but never more than was read', () => {
  expect(endsOf(['2026-05-01'])).toEqual(['2026-04-25', '2026-05-01', 7]);
  expect(endsOf(['2026-04-25'])).toEqual(['2026-04-25', '2026-05-01', 7]);
  expect(endsOf(['2026-05-01'], { from: '2026-04-30', to: '2026-05-01' })).toEqual(['2026-04-30', '2026-05-01', 2]);
});

test('without data, they are all days that were read', () => {
  expect(endsOf([])).toEqual(['2026-04-02', '2026-05-01', 30]);
});
