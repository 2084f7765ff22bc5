import { expect, test } from 'vitest';
import { checkCampaign } from '../src/index.ts';
import { momentsBetween, type Schedule, scheduledBetween } from '../src/schedule.ts';

const moment = (text: string) => Date.parse(text) * 1000;

const cases: [string, Schedule, string, string, string, string[]][] = [
  [
    'once, in the given zone',
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
  [
    'each month on the last day that it has',
    { every: 'P1M', at: '10:00', from: '2027-11-30' },
    'UTC',
    '2028-01-01T00:00Z',
    '2028-04-01T00:00Z',
    ['2028-01-30T10:00Z', '2028-02-29T10:00Z', '2028-03-30T10:00Z'],
  ],
  [
    'each year on the leap day, and on February 28 where there is none',
    { every: 'P1Y', at: '10:00', from: '2028-02-29' },
    'UTC',
    '2028-03-01T00:00Z',
    '2032-03-01T00:00Z',
    ['2029-02-28T10:00Z', '2030-02-28T10:00Z', '2031-02-28T10:00Z', '2032-02-29T10:00Z'],
  ],
  [
    'each first of a month, by default',
    { every: 'P3M', at: '00:00' },
    'UTC',
    '2026-01-01T00:00Z',
    '2026-08-01T00:00Z',
    ['2026-04-01T00:00Z', '2026-07-01T00:00Z'],
  ],
];

test.each(cases)('%s', (_name, schedule, zone, after, until, expected) => {
  expect(momentsBetween(schedule, moment(after), moment(until), zone)).toEqual(expected.map(moment));
});

test('an occurrence is identified by its local time, also at clock changes', () => {
  const [start, end] = [moment('2026-03-29T00:00Z'), moment('2026-03-29T12:00Z')];
  expect(scheduledBetween({ every: 'P1D', at: '02:30' }, start, end, 'Europe/Malta')).toEqual([
    { local: '2026-03-29T02:30', at: moment('2026-03-29T01:30Z') },
  ]);
});

test('occurrences do not depend on how the period is divided', () => {
  const schedule: Schedule = { every: 'P1D', at: '00:30' };
  const start = moment('2026-03-20T00:00Z');
  const hour = 3_600_000_000;
  // Beirut skips midnight on 2026-03-29.
  for (const zone of ['Asia/Beirut', 'Europe/Malta', 'America/New_York', 'UTC']) {
    const whole = momentsBetween(schedule, start, start + 480 * hour, zone);
    const cut = Array.from({ length: 480 }, (_, n) =>
      momentsBetween(schedule, start + n * hour, start + (n + 1) * hour, zone),
    ).flat();
    expect(cut).toEqual(whole);
    expect(whole).toHaveLength(20);
  }
});

test('an invalid schedule is refused', () => {
  expect(() => momentsBetween({ every: 'PT90M', at: '10:00' }, 0, 1, 'UTC')).toThrow('is not a number of whole days');
  expect(() => momentsBetween({ every: 'P0M', at: '10:00' }, 0, 1, 'UTC')).toThrow('is not a number of whole days');
  expect(() => momentsBetween({ at: 'soon' }, 0, 1, 'UTC')).toThrow('is not a local date and time');
});

test.each<[string, unknown, string[]]>([
  ['once', { at: '2026-12-24T18:00', zone: 'player' }, []],
  ['each month', { every: 'P1M', at: '10:00', from: '2026-01-31' }, []],
  ['no moment', {}, ['/entry/schedule/at']],
  ['a day that does not exist', { at: '2026-02-30T18:00' }, ['/entry/schedule/at']],
  ['a year that cannot be stored', { at: '9999-12-31T18:00' }, ['/entry/schedule/at']],
  ['a first day before the year 2000', { every: 'P1D', at: '10:00', from: '1999-12-31' }, ['/entry/schedule/from']],
  ['a time of day without every', { at: '18:00' }, ['/entry/schedule/at']],
  ['parts of a day', { every: 'PT1H', at: '10:00' }, ['/entry/schedule/every']],
  ['a zone by its name', { every: 'P1D', at: '10:00', zone: 'Europe/Malta' }, ['/entry/schedule/zone']],
  ['a start without every', { at: '2026-12-24T18:00', from: '2026-12-01' }, ['/entry/schedule/from']],
])('a document with a schedule is validated: %s', (_name, schedule, paths) => {
  const document = { code: 'weekly', name: 'Weekly', entry: { schedule, to: 'lapsed' }, steps: [] };
  const known = {
    catalog: new Map(),
    segments: new Set(['lapsed']),
    templates: new Map(),
    events: new Map(),
  };
  const errors = checkCampaign(document, known as unknown as Parameters<typeof checkCampaign>[1]);
  expect(errors.map(({ path }) => path)).toEqual(paths);
  const unknown = checkCampaign({ ...document, entry: { schedule, to: 'nobody' } }, known as never);
  expect(unknown.map(({ path }) => path)).toEqual(['/entry/to', ...paths]);
});
