import { beforeAll, describe, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

const activity = (fields: Record<string, unknown>) => ({
  user_id: 'ann',
  vendor_id: 'v-1',
  game_id: 'g-1',
  round_id: 'r-1',
  currency: 'SEK',
  exchange_rate: 0.1,
  activity_id: 'a-1',
  type: 'Bet',
  amount: 20,
  wager_amount: 15,
  bonus_wager_amount: 5,
  locked_wager_amount: 0,
  is_round_end: false,
  origin: 'www.example.com',
  timestamp: '2026-05-01 11:00:00',
  ...fields,
});

const message = {
  user_id: 'ann',
  vendor_id: 'v-1',
  game_id: 'g-2',
  round_id: 'r-2',
  game_name: 'Nordlys',
  game_type: 'slots',
  user_currency: 'SEK',
  device_type: 'mobile',
  origin: 'm.example.com',
  timestamp: '2026-05-01T11:10:00Z',
  real_bet_user: 10,
};

beforeAll(async () => {
  const win = { activity_id: 'a-2', type: 'Win', amount: 72, timestamp: '2026-05-01 11:00:05', is_round_end: true };
  await console.publish('casino', activity(win));
  await console.publish('casino', activity({}));
  await console.publish('gameround', message);
  await console.publish('casino', activity({ round_id: 'r-3', activity_id: 'a-3', timestamp: '2026-05-01 11:20:00' }));
  await console.publish('casino', activity({ round_id: 'r-4', activity_id: 'a-4', timestamp: '2026-05-01 11:30:00' }));
  await console.publish('casino', {
    ...activity({ round_id: 'r-5', activity_id: 'a-4', timestamp: '2026-05-01 11:40:00' }),
    status: 'Rollback',
  });
  await console.publish('casino', {
    ...activity({ round_id: 'r-6', activity_id: 'lost', timestamp: '2026-05-01 11:45:00' }),
    status: 'Rollback',
  });
  await console.derive();
});

const rounds = async (query = '') => (await console.get(`/brands/malta/players/ann/rounds${query}`)).body;
const ids = async (query: string) => (await rounds(query)).items.map((round: { round_id: string }) => round.round_id);

describe('rounds of a player', () => {
  test('show their money, result and multiplier, with every activity', async () => {
    const round = (await rounds('?round_id=r-1')).items[0];
    expect(round).toMatchObject({
      // No event has contained the name of the game.
      game_name: null,
      vendor_id: 'v-1',
      game_id: 'g-1',
      round_id: 'r-1',
      status: 'closed',
      source: 'casino',
      first_at: '2026-05-01T11:00:00.000000Z',
      last_at: '2026-05-01T11:00:05.000000Z',
      base: { currency: 'EUR', bet: '2', real_bet: '1.5', bonus_bet: '0.5', win: '7.2', result: '5.2' },
      user: { currency: 'SEK', bet: '20', win: '72', result: '52' },
      multiplier: '3.6',
      bet_count: 1,
      win_count: 1,
      conflicts: 0,
      orphans: 0,
      device_type: null,
    });
    expect(round.activities.map((each: { type: string; resolution: string }) => [each.type, each.resolution])).toEqual([
      ['Bet', 'in_force'],
      ['Win', 'in_force'],
    ]);
  });

  test('without amounts in the base currency are marked', async () => {
    const [round] = (await rounds('?unpriced=true')).items;
    expect(round).toMatchObject({
      round_id: 'r-2',
      source: 'gameround',
      base: null,
      device_type: 'mobile',
      bet_count: 1,
    });
    expect(round).toMatchObject({ game_name: 'Nordlys', user: { currency: 'SEK', bet: '10' }, multiplier: '0' });
    expect(round.messages).toHaveLength(1);
  });

  test('are filtered by state, age, game, source and problem', async () => {
    expect(await ids('')).toEqual(['r-6', 'r-5', 'r-4', 'r-3', 'r-2', 'r-1']);
    expect(await ids('?status=open')).toEqual(['r-3']);
    expect(await ids('?status=void')).toEqual(['r-4']);
    expect(await ids('?status=unplayed')).toEqual(['r-6', 'r-5']);
    expect(await ids('?open_longer_than=40')).toEqual(['r-3']);
    expect(await ids('?open_longer_than=41')).toEqual([]);
    expect(await ids('?game_id=g-2')).toEqual(['r-2']);
    expect(await ids('?source=gameround')).toEqual(['r-2']);
    expect(await ids('?orphan=true')).toEqual(['r-6']);
    expect(await ids('?conflicting=true')).toEqual([]);
    expect(await ids('?from=2026-05-01T11:10:00Z&to=2026-05-01T11:20:00Z')).toEqual(['r-3', 'r-2']);
  });

  test('are paged', async () => {
    const first = await rounds('?limit=4');
    expect(first.items).toHaveLength(4);
    const rest = await rounds(`?limit=4&cursor=${first.next}`);
    expect(rest.items.map((round: { round_id: string }) => round.round_id)).toEqual(['r-2', 'r-1']);
    expect(rest.next).toBeNull();
  });
});

describe('rounds of all players of a brand', () => {
  const page = async (query: string) => (await console.get(`/brands/malta/rounds?${query}`)).body;
  const names = ({ items }: { items: { user_id: string; round_id: string }[] }) =>
    items.map(({ user_id, round_id }) => `${user_id} ${round_id}`);

  beforeAll(async () => {
    const { brand: sweden } = await createBrand(console.pool, { code: 'sweden', base_currency: 'EUR' });
    await console.publish('gameround', {
      ...message,
      user_id: 'bob',
      round_id: 'u-1',
      timestamp: '2026-05-01T11:15:00Z',
    });
    await console.publish('gameround', {
      ...message,
      user_id: 'ann',
      round_id: 'u-2',
      timestamp: '2026-05-01T11:16:00Z',
    });
    await console.publish('gameround', { ...message, user_id: 'ann', round_id: 'other' }, sweden);
    const open = { user_id: 'bob', vendor_id: 'v-2', round_id: 'o-1', activity_id: 'o-1' };
    await console.publish('casino', activity({ ...open, timestamp: '2026-05-01 11:10:00' }));
    await console.derive();
  });

  test('are found if they have no base amounts: only those of the brand, and with all fields', async () => {
    const unpriced = await page('unpriced=true');
    expect(names(unpriced)).toEqual(['ann u-2', 'bob u-1', 'ann r-2']);
    expect(unpriced.next).toBeNull();
    const { user_id, player_id, ...round } = unpriced.items[2];
    expect({ user_id, player_id }).toEqual({ user_id: 'ann', player_id: expect.any(Number) });
    expect(round).toEqual((await rounds('?round_id=r-2')).items[0]);
    expect(names(await page('unpriced=true&vendor_id=v-2'))).toEqual([]);
    expect(names(await page('unpriced=true&open_longer_than=0'))).toEqual([]);
  });

  test('are found if open for longer than some minutes, oldest first on request', async () => {
    expect(names(await page('open_longer_than=0'))).toEqual(['ann r-3', 'bob o-1']);
    expect(names(await page('open_longer_than=0&order=oldest'))).toEqual(['bob o-1', 'ann r-3']);
    expect(names(await page('open_longer_than=41'))).toEqual(['bob o-1']);
    expect(names(await page('open_longer_than=51'))).toEqual([]);
    expect(names(await page('open_longer_than=0&vendor_id=v-1&unpriced=false'))).toEqual(['ann r-3']);
  });

  test.each([1, 2, 3])('are paged by %i, with no page after the last round', async (limit) => {
    for (const order of ['newest', 'oldest']) {
      const seen: string[] = [];
      let pages = 0;
      for (let cursor = ''; ; pages++) {
        const one = await page(`unpriced=true&order=${order}&limit=${limit}${cursor}`);
        seen.push(...names(one));
        if (one.next === null) break;
        cursor = `&cursor=${one.next}`;
      }
      const newest = ['ann u-2', 'bob u-1', 'ann r-2'];
      expect(seen).toEqual(order === 'newest' ? newest : newest.toReversed());
      expect(pages).toBe(Math.ceil(3 / limit) - 1);
    }
  });

  test('are not listed without a filter, and a cursor is valid for its own order only', async () => {
    for (const query of ['', 'unpriced=false', 'status=open', 'open_longer_than=-1']) {
      expect([query, (await console.get(`/brands/malta/rounds?${query}`)).status]).toEqual([query, 400]);
    }
    const { next } = await page('unpriced=true&limit=1');
    expect((await console.get(`/brands/malta/rounds?unpriced=true&order=oldest&cursor=${next}`)).status).toBe(400);
    expect((await console.get('/brands/malta/rounds?unpriced=true', await console.as('viewer'))).status).toBe(200);
  });

  test('without amounts in the base currency raise an alarm in the overview of their brand', async () => {
    const { alarms, go_live } = (await console.get('/brands/malta/overview')).body;
    expect(alarms.find(({ code }: { code: string }) => code === 'unpriced_rounds')).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('3 rounds count without amounts'),
      list: '/rounds?unpriced=true',
    });
    const steps = JSON.stringify([go_live.steps, go_live.further]);
    expect(steps).toContain('"code":"unpriced_rounds"');
  });

  test('ten thousand rounds of another brand do not make a page read more than its limit', async () => {
    await console.pool.query(
      `with copied as (select r.* from live.round r join player p using (player_id) where p.user_id = 'ann' and r.round_id = 'other')
       insert into live.round
       select c.* from copied, generate_series(1, 10000) n,
         jsonb_populate_record(null::live.round, to_jsonb(copied) || jsonb_build_object('round_key', n, 'round_id', 'c-' || n)) c`,
    );
    await console.pool.query('analyze live.round');
    const seen: string[] = [];
    let [cursor, pages] = ['', 1];
    for (; pages < 10; pages++) {
      const one = await page(`unpriced=true&limit=2${cursor}`);
      seen.push(...names(one));
      if (one.next === null) break;
      cursor = `&cursor=${one.next}`;
    }
    expect(seen).toEqual(['ann u-2', 'bob u-1', 'ann r-2']);
    // 10,004 entries: two pages read 5,000 each, the third the rest.
    expect(pages).toBe(3);
  });
});

test('the overview shows if rounds of two endpoints do not match', async () => {
  for (let i = 0; i < 100; i++) {
    const user_id = i % 2 === 0 ? 'bob' : 'eve';
    await console.publish('casino', activity({ user_id, round_id: `x-${i}`, activity_id: `x-${i}` }));
  }
  await console.derive();
  const { alarms } = (await console.get('/brands/malta/overview')).body;
  expect(alarms.find((alarm: { code: string }) => alarm.code === 'no_partner')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('recent rounds (100.00 %)'),
    list: '/feed?kind=gameround',
  });
});
