import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import { type CartBody, history, type PlainCart, plainCarts } from '../../../../testing/derive/families/carts/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import type { Part } from '../../totals/index.ts';
import { type Cart, partsOf } from './fact.ts';
import { carts } from './index.ts';

/*
 * Order independence (docs/reference/design.md 2.3): random histories with reused ids, repeats and contradictions,
 * shuffled and split into random batches, must give the same carts and totals as a plain recomputation without batches.
 * A failure prints its seed and path; pass them to fc.assert to reproduce it.
 */
const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

test('P3: any order, repetition and batching of the same events gives the same carts and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const { carts: made, sums } = incremental(batches);
        const plain = plainCarts(brandId, bodies);
        for (const [player, user] of users.entries()) {
          const own = made.filter((cart) => cart.player_id === player);
          expect(sorted(own.map(asPlain))).toEqual(sorted(plain.get(user) ?? []));
        }
        expect(withoutZeros(sums)).toEqual(withoutZeros(plainSums(plain)));
      },
    ),
    { numRuns: 1_500 },
  );
});

test('P2: applying every event again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(history, (bodies) => {
      const held = new Map<string, Cart>();
      apply(held, bodies);
      const { changes, verdicts } = applyTo(carts, held, bodies.map(eventOf));
      expect(changes).toEqual([]);
      expect(verdicts.size).toBe(bodies.length);
    }),
    { numRuns: 300 },
  );
});

/** Runs the incremental code, with maps instead of tables. */
function incremental(batches: readonly (readonly CartBody[])[]) {
  const held = new Map<string, Cart>();
  const sums = new Map<string, bigint>();
  for (const batch of batches) {
    for (const { before, after } of apply(held, batch)) {
      for (const part of partsOf(before)) add(sums, part, -1n);
      for (const part of partsOf(after)) add(sums, part, 1n);
    }
  }
  return { carts: [...held.values()], sums };
}

function add(sums: Map<string, bigint>, part: Part, sign: bigint): void {
  const row = `${part.player_id} ${part.day}`;
  for (const [column, count] of Object.entries(part.counts)) plus(sums, `${row} ${column}`, sign * BigInt(count));
  for (const [column, sum] of Object.entries(part.sums ?? {})) plus(sums, `${row} ${column}`, sign * millionths(sum));
}

/** The sums over the carts of a plain recomputation, per player, day in Malta and column. */
function plainSums(plain: ReadonlyMap<string, readonly PlainCart[]>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [user, carts] of plain) {
    for (const cart of carts.filter(({ counted }) => counted)) {
      // Summer time: two hours ahead of UTC on the days of `history`.
      const row = `${users.indexOf(user)} ${new Date(cart.at + 2 * 3_600_000).toISOString().slice(0, 10)}`;
      plus(sums, `${row} cart_count`, 1n);
      plus(sums, `${row} item_count`, BigInt(cart.items.length));
      plus(sums, `${row} cart_sum`, cart.base_amount);
      plus(sums, `${row} discount_sum`, cart.discount);
    }
  }
  return sums;
}

function plus(sums: Map<string, bigint>, name: string, value: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + value);
}

function withoutZeros(sums: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map([...sums].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function apply(held: Map<string, Cart>, bodies: readonly CartBody[]) {
  return applyTo(carts, held, bodies.map(eventOf)).changes;
}

function eventOf(body: CartBody) {
  const player_id = users.indexOf(body.user_id);
  return derivedEvent('cart', { ...body }, { player_id, brand_id: brandId, settings });
}

function asPlain(cart: Cart): PlainCart {
  const { cart_id, type, status, counted, conflicts } = cart;
  const numberOf = ({ amount }: { amount?: string | undefined }) => (amount === undefined ? null : Number(amount));
  return {
    cart_id,
    type,
    status,
    counted,
    conflicts,
    at: cart.at / 1000,
    base_amount: millionths(cart.base_amount),
    discount: millionths(cart.base_discount),
    items: cart.items.map(numberOf),
    payments: cart.payments.map(numberOf),
  };
}

function sorted(carts: readonly PlainCart[]): PlainCart[] {
  const nameOfCart = ({ cart_id, type, status, at }: PlainCart) => `${cart_id} ${type} ${status} ${at}`;
  return [...carts].sort((a, b) => (nameOfCart(a) < nameOfCart(b) ? -1 : 1));
}
