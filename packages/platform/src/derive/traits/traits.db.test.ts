import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { readTraits, traitCatalog } from './index.ts';

const malta = await setupStage({ brand: { time_zone: 'Europe/Malta', zoneless_timestamps: 'UTC' } });
const { pool, clock, publish, derive, playerId } = malta;

const at = (text: string) => Date.parse(text) * 1000;

async function read(user: string, now: string) {
  clock.set(at(now));
  const readings = await readTraits(pool, { player_id: await playerId(user), time_zone: 'Europe/Malta' }, clock.now());
  return (name: string) => readings[name]?.value;
}

async function deposits(user: string, ...times: string[]): Promise<void> {
  const bodies = times.map((timestamp, i) => paymentBody({ user_id: user, payment_id: String(i), timestamp }));
  await publish(...bodies.map((body) => ({ kind: 'payment' as const, body })));
  await derive();
}

test('"last 24 hours" drops an event at the full UTC hour, even if no event arrives', async () => {
  clock.set(at('2026-05-01T12:30:00Z'));
  await deposits('hours', '2026-05-01T11:59:59Z', '2026-05-01T12:00:00Z');
  expect((await read('hours', '2026-05-02T10:59:59Z'))('deposit_count_24h')).toBe(2);
  expect((await read('hours', '2026-05-02T11:00:00Z'))('deposit_count_24h')).toBe(1);
  expect((await read('hours', '2026-05-02T11:59:59Z'))('deposit_sum_24h')).toBe('10');
  expect((await read('hours', '2026-05-02T12:00:00Z'))('deposit_sum_24h')).toBe('0');
});

test("windows of days change at the brand's midnight, even when clocks change", async () => {
  clock.set(at('2026-03-29T12:00:00Z'));
  // 2026-03-29 has 23 hours in Malta: from 28th 23:00 UTC to 29th 22:00 UTC.
  await deposits(
    'days',
    '2026-03-28T22:59:59Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T21:59:59Z',
    '2026-03-29T22:00:00Z',
  );
  const { rows } = await pool.query(
    'select day, deposit_count from live.payment_day where player_id = $1 order by day',
    [await playerId('days')],
  );
  expect(rows).toEqual([
    { day: '2026-03-28', deposit_count: 1 },
    { day: '2026-03-29', deposit_count: 2 },
    { day: '2026-03-30', deposit_count: 1 },
  ]);
  expect((await read('days', '2026-03-29T21:59:59Z'))('deposit_count_today')).toBe(2);
  expect((await read('days', '2026-03-29T22:00:00Z'))('deposit_count_today')).toBe(1);
  expect((await read('days', '2026-04-03T21:59:59Z'))('deposit_count_7d')).toBe(4);
  expect((await read('days', '2026-04-03T22:00:00Z'))('deposit_count_7d')).toBe(3);
  expect((await read('days', '2026-04-04T22:00:00Z'))('deposit_count_7d')).toBe(1);
  expect((await read('days', '2026-04-05T22:00:00Z'))('deposit_count_7d')).toBe(0);
});

test('timestamps without a zone are UTC, even for a brand in Malta', async () => {
  clock.set(at('2026-05-01T23:00:00Z'));
  await deposits('zoneless', '2026-05-01 22:30:00.5');
  const value = await read('zoneless', '2026-05-01T22:40:00Z');
  expect(value('deposit_last_at')).toBe(at('2026-05-01T22:30:00.5Z'));
  expect(value('deposit_count_today')).toBe(1);
  expect((await read('zoneless', '2026-05-01T21:59:59Z'))('deposit_count_today')).toBe(0);
});

test('an impersonated login counts in no trait', async () => {
  clock.set(at('2026-05-01T12:00:00Z'));
  await publish(
    { kind: 'login', body: { user_id: 'staff', timestamp: '2026-05-01T10:00:00Z' } },
    { kind: 'login', body: { user_id: 'staff', timestamp: '2026-05-01T11:00:00Z', is_impersonated: true } },
    { kind: 'login', body: { user_id: 'staff', timestamp: '2026-05-01T10:00:00Z' } },
    { kind: 'logout', body: { user_id: 'staff', timestamp: '2026-05-01T11:30:00Z' } },
  );
  await derive();
  const value = await read('staff', '2026-05-01T12:00:00Z');
  expect(value('login_count')).toBe(1);
  expect(value('login_last_at')).toBe(at('2026-05-01T10:00:00Z'));
  expect(value('logout_last_at')).toBe(at('2026-05-01T11:30:00Z'));
});

test('the earliest registration is in force, whichever arrives first', async () => {
  const registration = (timestamp: string) => ({ kind: 'registration' as const, body: { user_id: 'new', timestamp } });
  await publish(registration('2026-05-01T10:00:00.000002Z'));
  await derive();
  await publish(registration('2026-05-01T10:00:00.000001Z'), registration('2026-05-01T10:00:01Z'));
  await derive();
  expect((await read('new', '2026-05-01T12:00:00Z'))('registered_at')).toBe(at('2026-05-01T10:00:00Z') + 1);
});

test("without a registration event, the registration date comes from the operator's details", async () => {
  await publish({ kind: 'login', body: { user_id: 'old', timestamp: '2026-05-01T10:00:00Z' } });
  await derive();
  const player = { player_id: await playerId('old'), time_zone: 'Europe/Malta' };
  const age = async (registration_date: number | null) => {
    const traits = await readTraits(pool, { ...player, registration_date }, at('2026-05-01T12:00:00Z'));
    return [traits.registered_at?.value, traits.account_age?.value];
  };
  // 23:30 UTC is the next day in Malta.
  const told = at('2020-02-02T23:30:00Z');
  expect(await age(told)).toEqual([told, 2279]);
  expect(await age(null)).toEqual([null, null]);
  await publish({ kind: 'registration', body: { user_id: 'old', timestamp: '2026-05-01T09:00:00Z' } });
  await derive();
  expect(await age(told)).toEqual([at('2026-05-01T09:00:00Z'), 0]);
});

test('the latest reported count is shown next to the derived one', async () => {
  const body = (fields: Record<string, unknown>) => paymentBody({ user_id: 'reported', ...fields });
  await publish({
    kind: 'payment',
    body: body({ payment_id: '2', deposit_count: 42, timestamp: '2026-05-01T11:00:00Z' }),
  });
  await derive();
  await publish({
    kind: 'payment',
    body: body({ payment_id: '1', deposit_count: 41, timestamp: '2026-05-01T10:00:00Z' }),
  });
  await derive();
  const value = await read('reported', '2026-05-01T12:00:00Z');
  expect([value('reported_deposit_count'), value('deposit_count')]).toEqual([42, 2]);
  expect(value('reported_withdrawal_count')).toBeNull();
});

test('custom events are counted by type', async () => {
  const event = (notification_type: string, timestamp: string) => ({
    kind: 'custom' as const,
    body: { user_id: 'wheel', notification_type, timestamp, origin: 'o', data: {} },
  });
  const [nine, ten] = ['2026-05-01T09:00:00Z', '2026-05-01T10:00:00Z'] as const;
  await publish(event('level_up', nine), event('spin', nine), event('spin', ten), event('spin', ten));
  await derive();
  expect((await read('wheel', '2026-05-01T12:00:00Z'))('custom_events')).toEqual({ spin: 2, level_up: 1 });
});

test('site events are counted by name, separately from custom events of the same name', async () => {
  const timestamp = '2026-05-01T09:00:00Z';
  const site = (event_id: string) => ({
    kind: 'site_event' as const,
    body: { user_id: 'forger', name: 'vip_upgrade', event_id, timestamp, data: {} },
  });
  await publish(site('one'), site('two'), {
    kind: 'custom' as const,
    body: { user_id: 'forger', notification_type: 'vip_upgrade', timestamp, origin: 'site', data: {} },
  });
  await derive();
  const value = await read('forger', '2026-05-01T12:00:00Z');
  expect([value('custom_events'), value('site_events')]).toEqual([{ vip_upgrade: 1 }, { vip_upgrade: 2 }]);
});

test('every trait has a unique name and a description', () => {
  const names = traitCatalog.map((trait) => trait.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, meaning, formula } of traitCatalog) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(formula).not.toBe('');
  }
});
