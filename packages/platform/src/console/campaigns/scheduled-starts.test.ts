import type { Schedule } from '@croupier/campaigns';
import { plusDays } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { fitOf, type ScheduleFit } from './scheduled-starts.ts';

const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, at) => plusDays(first, at));
const today = '2026-05-20';
const next = daysFrom('2026-05-21', 7);
const never = (...starts: string[]): ScheduleFit => ({ fits: false, needsDays: null, starts });

test.each<[name: string, schedule: Schedule, past: number, fit: ScheduleFit]>([
  ['every day', { every: 'P1D', at: '10:00' }, 7, { fits: true }],
  ['every day, on the clock of the player', { every: 'P1D', at: '00:30', zone: 'player' }, 7, { fits: true }],
  ['every week, after two weeks', { every: 'P7D', at: '10:00' }, 14, { fits: true }],
  ['every week, after one week', { every: 'P7D', at: '10:00' }, 7, { fits: false, needsDays: 14 }],
  ['every second week', { every: 'P14D', at: '10:00', from: '2026-05-11' }, 14, never('2026-05-25')],
  ['every month', { every: 'P1M', at: '10:00', from: '2026-01-25' }, 14, never('2026-05-25')],
  ['a month without a start', { every: 'P1M', at: '10:00', from: '2026-01-04' }, 14, { fits: true }],
  [
    'every day from the next week',
    { every: 'P1D', at: '10:00', from: '2026-05-26' },
    14,
    never('2026-05-26', '2026-05-27'),
  ],
  ['a date in the forecast', { at: '2026-05-23T18:00' }, 14, never('2026-05-23')],
  ['a date after the forecast', { at: '2026-06-23T18:00' }, 14, { fits: true }],
  ['the first date after the forecast, earlier in the east', { at: '2026-05-28T00:30', zone: 'player' }, 14, never()],
  ['a past date', { at: '2026-05-16T18:00' }, 14, never()],
  ['a date before the known days', { at: '2026-04-16T18:00' }, 14, { fits: true }],
  ['today', { at: '2026-05-20T18:00' }, 14, never('2026-05-20')],
])('%s', (_name, schedule, past, fit) => {
  const known = daysFrom(plusDays(today, -past), past);
  expect(fitOf(schedule, { past: known, today, next }, 'Europe/Malta')).toEqual(fit);
});
