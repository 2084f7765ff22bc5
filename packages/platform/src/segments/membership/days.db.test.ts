import { dayOf, plusDays, type Rule, type RuleNode, startOfDay } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText } from '../../database/index.ts';
import { startOfDaySql } from '../fields/day-start.ts';
import { segmentTransitions, verifySegments } from './index.ts';

/*
 * Days of zones whose clocks change at midnight. In Havana, Sunday, November 1, 2026, has two midnights: its clocks go back
 * from 01:00 to 00:00. In other zones, midnight is skipped, or 23:00 is repeated.
 */
const zone = 'America/Havana';
const stage = await setupSegments({ brand: { time_zone: zone } });
const { pool, brands, rules, clock, publish, derive, follow, segment, members, transitions } = stage;
const moment = (text: string) => Date.parse(text) * 1000;
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const midnight = moment('2026-11-01T04:00:00Z');
const hour = 3_600_000_000;

async function at(now: number, ...users: string[]) {
  clock.set(now);
  const timestamp = timestamptzText(now);
  for (const user_id of users)
    await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id: user_id + now, timestamp }) });
  await derive();
  await follow();
}

test('a day with two midnights begins at the first, has 25 hours, and is one day in windows, counts and moments', async () => {
  await at(midnight - hour);
  const codes = ['today', 'yesterday', 'last_day', 'since'] as const;
  await segment('today', rule({ field: 'trait.deposit_count_today', operator: '>=', value: 1 }));
  await segment('yesterday', rule({ field: 'trait.deposit_count_prev_1d', operator: '>=', value: 1 }));
  await segment(
    'last_day',
    rule({ field: 'did.payment', match: { mode: 'atLeast', threshold: 1 }, within: 'P1D', value: rule() } as RuleNode),
  );
  await segment('since', rule({ field: 'trait.deposit_last_at', operator: 'after', value: '2026-11-01' }));
  const all = async () => {
    expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
    return Object.fromEntries(await Promise.all(codes.map(async (code) => [code, await members(code)])));
  };

  await at(midnight - hour / 2, 'eve');
  expect(await all()).toEqual({ today: ['eve'], yesterday: [], last_day: ['eve'], since: [] });
  await at(midnight - 1);
  expect(await members('today')).toEqual(['eve']);
  await at(midnight);
  expect(await all()).toEqual({ today: [], yesterday: ['eve'], last_day: ['eve'], since: [] });
  // The deposits of `one` and `two` are at 00:30 of the local clock, an hour apart, before and after the clocks go back.
  await at(midnight + hour / 2, 'one');
  await at(midnight + hour, 'mid');
  await at(midnight + 1.5 * hour, 'two');
  const sunday = ['mid', 'one', 'two'];
  expect(await all()).toEqual({ today: sunday, yesterday: ['eve'], last_day: ['eve', ...sunday], since: sunday });
  // A day of a duration always has 24 hours. This day of a window has 25.
  await at(midnight + 23.5 * hour);
  expect(await all()).toEqual({ today: sunday, yesterday: ['eve'], last_day: sunday, since: sunday });
  await at(midnight + 25 * hour - 1);
  expect(await members('today')).toEqual(sunday);
  // An event exactly 24 hours ago is not within the last 24 hours.
  await at(midnight + 25 * hour);
  expect(await all()).toEqual({ today: [], yesterday: sunday, last_day: ['two'], since: sunday });
});

test('transitions of both midnights are counted on that day, even if it is the oldest of the counted days', async () => {
  const [of] = await pool.query('select segment_id from segment where code = $1', ['since']).then(({ rows }) => rows);
  const counted = (days: number) => segmentTransitions.byDay(pool, { segment: of, zone, at: clock.now(), days });
  expect(await transitions('since')).toHaveLength(3);
  expect((await counted(3)).map(({ entered }) => entered)).toEqual([0, 3, 0]);
  expect((await counted(2)).map(({ entered }) => entered)).toEqual([3, 0]);
});

test('PostgreSQL and the clock of the rules agree on the beginning of each day, in zones whose clocks change at midnight', async () => {
  const zones = [
    'America/Havana',
    'Atlantic/Azores',
    'America/Scoresbysund',
    'Africa/Cairo',
    'America/Asuncion',
    'Asia/Beirut',
    'America/Santiago',
    'America/Sao_Paulo',
    'Asia/Amman',
    'Asia/Gaza',
    'America/Nuuk',
    'Antarctica/Troll',
    'Australia/Lord_Howe',
    'Europe/Malta',
  ];
  const first = '2015-01-01';
  const days = Array.from({ length: 16 * 365 }, (_, n) => plusDays(first, n));
  for (const one of zones) {
    const writer = { parameter: () => '$2', reading: { zone: one } };
    const { rows } = await pool.query<{ at: number }>(
      `select ${startOfDaySql('d.day', { writer } as never)} as at from unnest($1::date[]) with ordinality d (day, n)
        where $2::text is not null order by n`,
      [days, one],
    );
    const wrong = days.filter((day, n) => {
      const start = startOfDay(one, day);
      return rows[n]?.at !== start || dayOf(one, start) !== day || dayOf(one, start - 1) >= day;
    });
    expect({ zone: one, wrong }).toEqual({ zone: one, wrong: [] });
  }
});
