import { beforeAll, describe, expect, test } from 'vitest';
import { setupConsole } from '../setup-console.ts';

const console = await setupConsole();

const activity = (fields: Record<string, unknown>) => ({
  ...{ user_id: 'ann', vendor_id: 'v-1', game_id: 'g-1', round_id: 'r-1', currency: 'SEK', exchange_rate: 0.1 },
  ...{ activity_id: 'a-1', type: 'Bet', amount: 20, wager_amount: 15, bonus_wager_amount: 5, locked_wager_amount: 0 },
  ...{ is_round_end: false, origin: 'www.example.com', timestamp: '2026-05-01 11:00:00' },
  ...fields,
});

const message = {
  ...{ user_id: 'ann', vendor_id: 'v-1', game_id: 'g-2', round_id: 'r-2', game_name: 'Nordlys', game_type: 'slots' },
  ...{ user_currency: 'SEK', device_type: 'mobile', origin: 'm.example.com', timestamp: '2026-05-01T11:10:00Z' },
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
      ...{ vendor_id: 'v-1', game_id: 'g-1', round_id: 'r-1', status: 'closed', source: 'casino' },
      ...{ first_at: '2026-05-01T11:00:00.000000Z', last_at: '2026-05-01T11:00:05.000000Z' },
      base: { currency: 'EUR', bet: '2', real_bet: '1.5', bonus_bet: '0.5', win: '7.2', result: '5.2' },
      user: { currency: 'SEK', bet: '20', win: '72', result: '52' },
      ...{ multiplier: '3.6', bet_count: 1, win_count: 1, conflicts: 0, orphans: 0, device_type: null },
    });
    expect(round.activities.map((each: { type: string; resolution: string }) => [each.type, each.resolution])).toEqual([
      ['Bet', 'in_force'],
      ['Win', 'in_force'],
    ]);
  });

  test('without amounts in the base currency are told apart', async () => {
    const [round] = (await rounds('?unpriced=true')).items;
    expect(round).toMatchObject({
      round_id: 'r-2',
      source: 'gameround',
      base: null,
      device_type: 'mobile',
      bet_count: 1,
    });
    expect(round).toMatchObject({ user: { currency: 'SEK', bet: '10' }, multiplier: '0' });
    expect(round.messages).toHaveLength(1);
  });

  test('are found by state, age, game, source and what is wrong with them', async () => {
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

  test('come in pages', async () => {
    const first = await rounds('?limit=4');
    expect(first.items).toHaveLength(4);
    const rest = await rounds(`?limit=4&cursor=${first.next}`);
    expect(rest.items.map((round: { round_id: string }) => round.round_id)).toEqual(['r-2', 'r-1']);
    expect(rest.next).toBeNull();
  });
});

test('the overview tells when rounds of two endpoints do not match', async () => {
  for (let i = 0; i < 100; i++) {
    const user_id = i % 2 === 0 ? 'bob' : 'eve';
    await console.publish('casino', activity({ user_id, round_id: `x-${i}`, activity_id: `x-${i}` }));
  }
  await console.derive();
  const { alarms } = (await console.get('/brands/malta/overview')).body;
  expect(alarms.find((alarm: { code: string }) => alarm.code === 'no_partner')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('103 of 103 recent rounds (100.00 %)'),
    list: '/feed?kind=gameround',
  });
});
