import { beforeAll, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const second = 1_000_000;

const bet = (fields: Record<string, unknown>) => ({
  user_id: 'ann',
  vendor_id: 'v-1',
  game_id: 'g-1',
  round_id: 'r-1',
  currency: 'EUR',
  exchange_rate: 1,
  activity_id: 'a-1',
  type: 'Bet',
  amount: 2,
  wager_amount: 2,
  bonus_wager_amount: 0,
  locked_wager_amount: 0,
  is_round_end: false,
  game_name: 'Lucky Lanterns',
  vendor_name: 'Example Games',
  origin: 'www.example.com',
  timestamp: '2026-05-01 11:00:00',
  ...fields,
});

const login = (user_id: string) => ({ user_id, timestamp: '2026-05-01T11:59:59Z', ip_address: '192.0.2.1' });

beforeAll(async () => {
  const publish = async (...event: Parameters<typeof console.publish>) => {
    console.clock.advance(second);
    await console.publish(...event);
  };
  await publish('login', login('ann'));
  await publish('casino', bet({}));
  await publish('casino', bet({ user_id: 'bob', activity_id: 'a-2' }));
  await publish('casino', bet({ activity_id: 'a-3', type: 'Win', amount: 5, is_round_end: true }));
  await publish('casino', bet({ round_id: 'r-2', activity_id: 'a-4' }));
  const { brand: another } = await createBrand(console.pool, { code: 'sweden' });
  await publish('login', login('eve'), another);
  await console.derive();
  await console.pool.query(
    `insert into player_protection (player_id, brand_id, excluded)
     select player_id, brand_id, true from player where user_id = 'bob'
     on conflict (player_id) do update set excluded = true`,
  );
  await publish('login', login('dan'));
});

test('players are listed by their latest event, also before it is derived; another brand is not seen', async () => {
  const { status, body } = await console.get('/brands/malta/latest/players');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.next).toBeNull();
  expect(body.items.map(({ user_id, kind, excluded }: never) => [user_id, kind, excluded])).toEqual([
    ['dan', 'login', false],
    ['ann', 'casino', false],
    ['bob', 'casino', true],
  ]);
  const logins = await console.get('/brands/malta/latest/players?kind=login');
  expect(logins.body.items.map(({ user_id }: never) => user_id)).toEqual(['dan', 'ann']);
});

test('rounds are listed by their latest event in their current state, with the names of their games', async () => {
  const { status, body } = await console.get('/brands/malta/latest/rounds');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(
    body.items.map(({ user_id, round_id, status, base }: never) => [
      user_id,
      round_id,
      status,
      (base as { result: string }).result,
    ]),
  ).toEqual([
    ['ann', 'r-2', 'open', '-2'],
    ['ann', 'r-1', 'closed', '3'],
    ['bob', 'r-1', 'open', '-2'],
  ]);
  expect(body.items[0]).toMatchObject({ game_name: 'Lucky Lanterns', vendor_name: 'Example Games' });
  const narrowed = await console.get('/brands/malta/latest/rounds?user_id=ann&status=closed');
  expect(narrowed.body.items.map(({ round_id }: never) => round_id)).toEqual(['r-1']);
});

test('pages of few events continue where the last one ended, and mark what was listed again', async () => {
  const names: string[] = [];
  let cursor = '';
  do {
    const { body } = await console.get(`/brands/malta/latest/rounds?limit=1${cursor}`);
    names.push(...body.items.map(({ user_id, round_id }: never) => `${user_id} ${round_id}`));
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  } while (cursor !== '');
  expect(names).toEqual(['ann r-2', 'ann r-1', 'bob r-1', 'ann r-1']);
});

test('names are masked for a role that may not see them', async () => {
  await console.pool.query(
    `insert into player_profile (player_id, first_name, country, changed_at) select player_id, 'Ann', 'MT', now() from player where user_id = 'ann'
     on conflict (player_id) do update set first_name = 'Ann', country = 'MT'`,
  );
  const of = async (token?: string) =>
    (await console.get('/brands/malta/latest/players?country=MT', token)).body.items.map(
      ({ first_name, country }: never) => [first_name, country],
    );
  expect(await of()).toEqual([['Ann', 'MT']]);
  expect(await of(await console.as('viewer'))).toEqual([['***', 'MT']]);
});
