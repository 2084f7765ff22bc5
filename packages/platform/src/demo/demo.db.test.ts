import { createSimulation, startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import { makeWorker } from '../../testing/operator/setup-sync.ts';
import { setupSegments } from '../../testing/segments/setup-segments.ts';
import { transaction } from '../database/index.ts';
import { RefreshConsumer } from '../operator/players/index.ts';
import { verifySegments } from '../segments/membership/index.ts';
import { remove } from '../segments/membership/manage.ts';
import { readSegments } from '../segments/membership/versions/store.ts';
import { giveDemo } from './index.ts';

/*
 * Tests the demo with a clock that the test sets. It simulates three hours of the casino, with players of each character.
 * The operator answers look-ups from the records of the simulation.
 */
const codes = [
  'big_loss_in_an_hour',
  'birthday_this_week',
  'bonus_hunters',
  'deposited_today',
  'high_rollers',
  'new_without_deposit',
  'slipping_away',
  'sports_only',
];
/** Segments of the recipes. */
const ofRecipes = ['birthday_today', 'offer_expires_soon', 'play_declines'];
const hour = 3_600_000_000;
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth });
const refreshes: RefreshConsumer = new RefreshConsumer({
  brands: { byId: (brandId) => stage.brands.byId(brandId) },
  wake: () => {},
});
const settings = { operator: { base_url: operator.url, auth }, time_zone: 'Europe/Malta' };
const stage = await setupSegments({ brand: settings, consumers: [refreshes] });
const { pool, brand, brands, rules, clock, publish, derive, follow, members, computer, sweeper } = stage;
const sync = makeWorker(pool, [brand]);
await sync.start();
afterAll(async () => {
  await sync.stop();
  await operator.stop();
});

test('the segments are created once; a segment that staff deleted is not created again', async () => {
  expect((await segmentsGiven()).toSorted()).toEqual([...codes, ...ofRecipes].toSorted());
  expect(await segmentsGiven()).toEqual([]);
  await computer.runOnce();
  const [deleted] = await readSegments(pool, brand.brand_id, { code: 'sports_only' });
  if (deleted === undefined) throw new Error('there is no such segment');
  await transaction(pool, (tx) => remove(tx, deleted));
  expect(await segmentsGiven()).toEqual([]);
  await pool.query(`delete from demo_gift where code = 'sports_only'`);
  expect(await segmentsGiven()).toEqual(['sports_only']);
  await computer.runOnce();
  expect(await codesInForce()).toEqual([...codes, ...ofRecipes].toSorted());
});

test('after three hours of the simulator, each segment has members and players who are not members', async () => {
  const end = clock.now();
  const simulation = createSimulation({
    seed: 1,
    players: 6,
    visitsPerDay: 72,
    books: operator.books,
    characters: true,
    start: end - 3 * hour,
    brand: { brand_id: brand.brand_id },
    idPrefix: 'demo-',
  });
  for (;;) {
    const messages = simulation.take(200);
    const told = messages.filter(({ at, label }) => at <= end && label !== 'invalid');
    await publish(...told.map(({ kind, body, at }) => ({ kind, body: JSON.parse(body), received_at: at })));
    await derive();
    await follow();
    if (told.length < messages.filter(({ label }) => label !== 'invalid').length) break;
  }
  sync.scheduler.wake();
  await expect
    .poll(async () => (await pool.query('select from player_sync where requested > done')).rowCount, { interval: 10 })
    .toBe(0);
  await follow();
  await sweeper.runOnce();
  const { rows } = await pool.query<{ user_id: string }>('select user_id from player');
  const everybody = rows.map(({ user_id }) => user_id);
  const found = await Promise.all(codes.map(async (code) => ({ code, members: await members(code) })));
  for (const one of found) {
    expect(one.members.length, one.code).toBeGreaterThan(0);
    expect(one.members.length, one.code).toBeLessThan(everybody.length);
  }
  const ofCharacter = (code: string) => found.find((one) => one.code === code)?.members ?? [];
  expect(ofCharacter('new_without_deposit').some((user) => user.startsWith('demo-newcomer-'))).toBe(true);
  expect(ofCharacter('slipping_away')).toEqual(['demo-lapsed-1']);
  expect(ofCharacter('high_rollers')).toContain('demo-high_roller-1');
  expect(ofCharacter('sports_only')).toContain('demo-bettor-1');
  expect(ofCharacter('bonus_hunters')).toContain('demo-hunter-1');
  expect(ofCharacter('birthday_this_week')).toContain('demo-birthday-1');
  expect(ofCharacter('big_loss_in_an_hour')).toContain('demo-loser-1');
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
});

async function segmentsGiven(): Promise<string[]> {
  return (await giveDemo(pool, brand, clock.now())).segments;
}

async function codesInForce(): Promise<string[]> {
  const { rows } = await pool.query<{ code: string }>(
    `select code from segment_active where phase = 'in_force' order by code`,
  );
  return rows.map(({ code }) => code);
}
