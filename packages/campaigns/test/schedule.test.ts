import { expect, test } from 'vitest';
import { momentsBetween, type Schedule } from '../src/schedule.ts';

const moment = (text: string) => Date.parse(text) * 1000;

const cases: [string, Schedule, string, string, string, string[]][] = [
  [
    'once, in the zone that is given',
    { at: '2026-12-24T18:00', zone: 'player' },
    'America/New_York',
    '2026-12-24T00:00Z',
    '2026-12-26T00:00Z',
    ['2026-12-24T23:00Z'],
  ],
  ['once, passed', { at: '2026-12-24T18:00' }, 'UTC', '2026-12-24T18:00Z', '2027-12-24T18:00Z', []],
  [
    'each day, through the clock going forward',
    { every: 'P1D', at: '10:00' },
    'Europe/Malta',
    '2026-03-28T00:00Z',
    '2026-03-30T00:00Z',
    ['2026-03-28T09:00Z', '2026-03-29T08:00Z'],
  ],
  [
    'each day, through the clock going back',
    { every: 'P1D', at: '10:00' },
    'Europe/Malta',
    '2026-10-24T00:00Z',
    '2026-10-26T00:00Z',
    ['2026-10-24T08:00Z', '2026-10-25T09:00Z'],
  ],
  [
    'at a time that the clocks skip',
    { every: 'P1D', at: '02:30' },
    'Europe/Malta',
    '2026-03-29T00:00Z',
    '2026-03-29T12:00Z',
    ['2026-03-29T01:30Z'],
  ],
  [
    'at a time that occurs twice: once',
    { every: 'P1D', at: '02:30' },
    'Europe/Malta',
    '2026-10-24T22:00Z',
    '2026-10-25T12:00Z',
    ['2026-10-25T00:30Z'],
  ],
  [
    'on the leap day',
    { every: 'P1D', at: '10:00' },
    'UTC',
    '2028-02-28T12:00Z',
    '2028-03-01T12:00Z',
    ['2028-02-29T10:00Z', '2028-03-01T10:00Z'],
  ],
  [
    'each Monday',
    { every: 'P7D', at: '10:00' },
    'UTC',
    '2026-06-16T00:00Z',
    '2026-06-30T00:00Z',
    ['2026-06-22T10:00Z', '2026-06-29T10:00Z'],
  ],
  [
    'every second day from a day',
    { every: 'P2D', at: '10:00', from: '2026-06-17' },
    'UTC',
    '2026-06-01T00:00Z',
    '2026-06-20T00:00Z',
    ['2026-06-17T10:00Z', '2026-06-19T10:00Z'],
  ],
];

test.each(cases)('%s', (_name, schedule, zone, after, until, expected) => {
  expect(momentsBetween(schedule, moment(after), moment(until), zone)).toEqual(expected.map(moment));
});

test('moments are the same however the time is cut', () => {
  const schedule: Schedule = { every: 'P1D', at: '00:30' };
  const start = moment('2026-03-20T00:00Z');
  const hour = 3_600_000_000;
  // Midnight is skipped in Beirut on 2026-03-29.
  for (const zone of ['Asia/Beirut', 'Europe/Malta', 'America/New_York', 'UTC']) {
    const whole = momentsBetween(schedule, start, start + 480 * hour, zone);
    const cut = Array.from({ length: 480 }, (_, n) =>
      momentsBetween(schedule, start + n * hour, start + (n + 1) * hour, zone),
    ).flat();
    expect(cut).toEqual(whole);
    expect(whole).toHaveLength(20);
  }
});

test('a schedule that is none is refused', () => {
  expect(() => momentsBetween({ every: 'PT90M', at: '10:00' }, 0, 1, 'UTC')).toThrow('no number of whole days');
  expect(() => momentsBetween({ at: 'soon' }, 0, 1, 'UTC')).toThrow('no local date and time');
});
