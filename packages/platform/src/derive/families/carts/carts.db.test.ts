import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { type CartBody, history, type PlainCart, plainCarts } from '../../../../testing/derive/families/carts/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import type { Brand } from '../../../brands/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readTotals, readWindow, type Window } from '../../totals/index.ts';
import { listPayments } from '../payments/index.ts';
import { cartTotals, listCarts, readLastCart } from './index.ts';

const time_zone = 'Europe/Malta';
const stage = await setupStage({ brand: { time_zone } });
const { pool, clock, ledger } = stage;
// All histories of plain.ts fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

const lastDay = readWindow('24h') as Window;

test('P2, P3: in the database, any order and batching gives the result of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies))),
      async ([bodies, batches, otherBatches]) => {
        const { brand } = await createBrand(pool, { time_zone });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'cart' as const, body: { ...body }, brand })));
          await stage.derive();
        }
        const ids: number[] = [];
        for (const [user, carts] of plainCarts(brand.brand_id, bodies)) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          await expectTotals(player_id, carts);
          await expectLast(player_id, carts);
          expect(await listCarts(pool, player_id, {}, 100)).toHaveLength(carts.length);
        }
        expect(await cartTotals.rollup.differences(pool, brand.brand_id)).toEqual([]);
        await applyToShadow(brand, otherBatches);
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);

async function expectTotals(player_id: number, carts: readonly PlainCart[]): Promise<void> {
  const { lifetime, windows } = await readTotals(pool, cartTotals.spec, { player_id, time_zone }, clock.now(), [
    lastDay,
  ]);
  const counted = carts.filter((cart) => cart.counted);
  for (const { counts, sums } of [lifetime, windows.get('24h') ?? lifetime]) {
    expect(counts.cart_count).toBe(counted.length);
    expect(counts.item_count).toBe(counted.reduce((sum, { items }) => sum + items.length, 0));
    expect(millionths(sums.cart_sum ?? '')).toBe(counted.reduce((sum, { base_amount }) => sum + base_amount, 0n));
    expect(millionths(sums.discount_sum ?? '')).toBe(counted.reduce((sum, { discount }) => sum + discount, 0n));
  }
  const times = counted.map(({ at }) => at * 1000);
  expect(lifetime.dates.cart_first_at).toBe(times.length === 0 ? null : Math.min(...times));
  expect(lifetime.dates.cart_last_at).toBe(times.length === 0 ? null : Math.max(...times));
}

async function expectLast(player_id: number, carts: readonly PlainCart[]): Promise<void> {
  const counted = carts.filter((cart) => cart.counted);
  const latest = Math.max(...counted.map(({ at }) => at));
  const possible = counted
    .filter(({ at }) => at === latest)
    .map(({ base_amount, items }) => `${base_amount} ${items.length}`);
  const found = await readLastCart(pool, player_id);
  if (possible.length === 0) expect(found).toBeUndefined();
  else expect(possible).toContain(found && `${millionths(found.base_amount)} ${found.item_count}`);
}

async function applyToShadow(brand: Brand, batches: readonly (readonly CartBody[])[]): Promise<void> {
  const readable = new Map<string, ReadableEvent>();
  for await (const page of ledger.history({ brand_id: brand.brand_id })) {
    for (const event of page) {
      const reading = readLedgerEvent(event, brand);
      if (reading.ok) readable.set(JSON.stringify(reading.readable.body), reading.readable);
    }
  }
  for (const batch of batches) {
    const events = batch.flatMap((body) => readable.get(JSON.stringify(body)) ?? []);
    expect(events.length).toBe(batch.length);
    await shadow.apply(events, clock.now());
  }
}

/** A cart at an hour of April 30. Its amounts are in kronor; one krona is a tenth of the base currency. */
function cart(user_id: string, cart_id: number, hour: number, fields: object = {}) {
  const items = [
    { id: 1, type: 'Scratch', name: 'Lucky Cat', amount: 50, discount_amount: 10, meta: { quantity: 2 } },
    { id: 2, type: 'Lottery', amount: 20 },
  ];
  const payments = [
    { type: 'Wallet', amount: 45 },
    { type: 'Deposit', amount: 15, meta: { vendor: 'v' } },
  ];
  const body = { user_id, cart_id, type: 'Checkout', status: 'Successful', timestamp: `2026-04-30T0${hour}:00:00Z` };
  const money = { amount: 60, currency: 'SEK', exchange_rate: 0.1 };
  return { kind: 'cart' as const, body: { ...body, items, payments, ...money, ...fields } };
}

test('a cart lists items and payments with their base amounts; its Deposit payment is not counted as a deposit', async () => {
  await stage.publish(cart('shop', 1, 2));
  await stage.derive();
  const player_id = await stage.playerId('shop');
  const [listed] = await listCarts(pool, player_id, {}, 10);
  expect(listed).toMatchObject({
    cart_id: '1',
    counted: true,
    amount: '60',
    base_amount: '6',
    item_count: 2,
    // The message has no discount of the cart, so this is the discount of its items.
    discount_amount: '10',
    base_discount: '1',
    items: [
      { id: '1', name: 'Lucky Cat', amount: '50', base_amount: '5', base_discount: '1', meta: { quantity: 2 } },
      { id: '2', amount: '20', base_amount: '2', base_discount: null },
    ],
    payments: [
      { type: 'Wallet', amount: '45', base_amount: '4.5' },
      { type: 'Deposit', amount: '15', base_amount: '1.5' },
    ],
  });
  expect(await listPayments(pool, player_id, {}, 10)).toEqual([]);
});

test('carts are listed newest first, page by page, with filters; only successful checkouts count', async () => {
  await stage.publish(
    cart('list', 1, 1, { status: 'Pending' }),
    cart('list', 1, 2, { status: 'SUCCESSFUL' }),
    // A second message with the same id is another cart, because its time differs.
    cart('list', 1, 3),
    cart('list', 2, 4, { type: 'AddItem' }),
    cart('list', 1, 3, { amount: 61 }),
  );
  await stage.derive();
  const player_id = await stage.playerId('list');
  const first = await listCarts(pool, player_id, {}, 3);
  const rest = await listCarts(pool, player_id, {}, 3, first.at(-1));
  const hours = [...first, ...rest].map(({ at }) => new Date(at / 1000).getUTCHours());
  expect(hours).toEqual([4, 3, 2, 1]);
  const found = async (filter: Parameters<typeof listCarts>[2]) =>
    (await listCarts(pool, player_id, filter, 10)).length;
  expect(await found({ counted: true })).toBe(2);
  expect(await found({ status: 'successful' })).toBe(3);
  expect(await found({ type: 'addItem' })).toBe(1);
  expect(await found({ cart_id: '1' })).toBe(3);
  expect(await found({ conflicting: true })).toBe(1);
  expect(await found({ from: Date.UTC(2026, 3, 30, 3) * 1000 })).toBe(2);
});
