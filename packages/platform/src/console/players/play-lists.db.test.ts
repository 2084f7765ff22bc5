import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const ann = '/brands/malta/players/ann';

const bet = {
  user_id: 'ann',
  activity_id: 'b1',
  type: 'Bet',
  round_id: 'r1',
  game_id: 'g1',
  vendor_id: 'v1',
  amount: 2,
  currency: 'EUR',
  exchange_rate: 1,
  is_round_end: false,
  origin: 'x',
  timestamp: '2026-05-01T10:00:00Z',
};

beforeAll(async () => {
  const named = { game_name: 'Lucky Lanterns', game_type: 'slots', vendor_name: 'Example Games' };
  await console.publish('casino', { ...bet, ...named });
  await console.publish('casino', {
    ...bet,
    activity_id: 'b2',
    round_id: 'r2',
    timestamp: '2026-05-01T10:05:00.5Z',
  });
  await console.publish('casino', {
    ...bet,
    activity_id: 'b3',
    round_id: 'r3',
    game_id: 'g2',
    timestamp: '2026-05-01T10:20:00Z',
  });
  await console.publish('balances', {
    user_id: 'ann',
    origin: 'x',
    timestamp: '2026-05-01T10:21:00Z',
    balances: [{ key: 'real_money', amount: 10.5, currency: 'SEK', exchange_rate: 0.1 }],
  });
  for (const timestamp of ['2026-05-01T10:30:00Z', '2026-05-01T10:31:00Z']) {
    const data = { prize: 'free_spins', spins: 10 };
    await console.publish('custom', { user_id: 'ann', notification_type: 'wheel', origin: 'x', timestamp, data });
  }
  await console.publish('site_event', {
    user_id: 'ann',
    name: 'wheel',
    event_id: 'call-0001',
    timestamp: '2026-05-01T10:32:00Z',
    data: { clicked: 'spin' },
  });
  await console.derive();
});

test('sessions have names, ends and sums; play sessions span games', async () => {
  const { status, body } = await console.get(`${ann}/sessions`);
  expect(status).toBe(200);
  expect(body.items.map((item: { game_id: string }) => item.game_id)).toEqual(['g2', 'g1']);
  expect(body.items[1]).toEqual({
    scope: 'game',
    vendor_id: 'v1',
    vendor_name: 'Example Games',
    game_id: 'g1',
    game_name: 'Lucky Lanterns',
    game_type: 'slots',
    started_at: '2026-05-01T10:00:00.000000Z',
    ended_at: '2026-05-01T10:05:00.500000Z',
    seconds: 300.5,
    round_count: 2,
    bet_count: 2,
    bet_sum: '4',
    win_sum: '0',
  });
  const play = (await console.get(`${ann}/sessions?scope=play`)).body.items;
  expect(play).toMatchObject([{ scope: 'play', game_id: null, vendor_name: null, round_count: 3, seconds: 1200 }]);
});

test('sessions are paged and filtered by game and time', async () => {
  const first = (await console.get(`${ann}/sessions?limit=1`)).body;
  const second = (await console.get(`${ann}/sessions?limit=1&cursor=${first.next}`)).body;
  expect([first.items[0].game_id, second.items[0].game_id, second.next]).toEqual(['g2', 'g1', null]);
  expect((await console.get(`${ann}/sessions?game_id=g1&from=2026-05-01T10:00:00Z`)).body.items).toHaveLength(1);
  expect((await console.get(`${ann}/sessions?to=2026-05-01T09:00:00Z`)).body.items).toEqual([]);
  expect((await console.get(`${ann}/sessions?scope=all`)).status).toBe(400);
});

test('the last balances are listed in the currency of the player and of the brand', async () => {
  expect((await console.get(`${ann}/balances`)).body).toEqual({
    items: [
      {
        key: 'real_money',
        amount: '10.5',
        currency: 'SEK',
        exchange_rate: '0.1',
        base_amount: '1.05',
        timestamp: '2026-05-01T10:21:00.000000Z',
        origin: 'x',
      },
    ],
    next: null,
  });
});

test('custom events are listed with their data, which is masked for a viewer because it may be personal', async () => {
  const { items } = (await console.get(`${ann}/custom-events?type=wheel&to=2026-05-01T10:30:00Z`)).body;
  expect(items).toEqual([
    {
      notification_type: 'wheel',
      timestamp: '2026-05-01T10:30:00.000000Z',
      origin: 'x',
      data: { prize: 'free_spins', spins: 10 },
    },
  ]);
  const first = (await console.get(`${ann}/custom-events?limit=1`)).body;
  const second = (await console.get(`${ann}/custom-events?limit=1&cursor=${first.next}`)).body;
  expect(
    [...first.items, ...second.items].map(({ timestamp }: { timestamp: string }) => timestamp.slice(14, 16)),
  ).toEqual(['31', '30']);
  const masked = (await console.get(`${ann}/custom-events`, await console.as('viewer'))).body.items;
  expect(masked[0].data).toEqual({ prize: '***', spins: '***' });
});

test('site events have a separate list', async () => {
  const { items } = (await console.get(`${ann}/site-events?name=wheel`)).body;
  expect(items).toEqual([
    {
      name: 'wheel',
      event_id: 'call-0001',
      timestamp: '2026-05-01T10:32:00.000000Z',
      data: { clicked: 'spin' },
    },
  ]);
  const masked = (await console.get(`${ann}/site-events`, await console.as('viewer'))).body.items;
  expect(masked[0].data).toEqual({ clicked: '***' });
  expect((await console.get(`${ann}/timeline?kind=site_event`)).body.items).toMatchObject([{ kind: 'site_event' }]);
  const feed = (await console.get('/brands/malta/feed?kind=site_event')).body.items;
  expect(feed).toMatchObject([{ kind: 'site_event', user_id: 'ann', summary: 'Wheel, tracked by the site' }]);
});

test('the games and vendors of the catalog are searched, filtered and paged', async () => {
  const { items } = (await console.get('/brands/malta/games?search=lucky')).body;
  expect(items).toEqual([
    { vendor_id: 'v1', vendor_name: 'Example Games', game_id: 'g1', name: 'Lucky Lanterns', type: 'slots' },
  ]);
  const first = (await console.get('/brands/malta/games?limit=1&vendor_id=v1')).body;
  const second = (await console.get(`/brands/malta/games?limit=1&cursor=${first.next}`)).body;
  expect([first.items[0].game_id, second.items[0].game_id, second.next]).toEqual(['g1', 'g2', null]);
  expect((await console.get('/brands/malta/vendors')).body.items).toEqual([
    { vendor_id: 'v1', name: 'Example Games', games: 2 },
  ]);
});
