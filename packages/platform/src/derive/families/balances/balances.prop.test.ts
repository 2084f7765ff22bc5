import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { type BalancesBody, balancesBody, plainBalances } from '../../../../testing/derive/families/balances/plain.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import type { Balance } from './balance.ts';
import { balances } from './index.ts';

const brandId = 7;
const users = ['a', 'b'];

function apply(held: Map<string, Balance>, bodies: readonly BalancesBody[]) {
  const events = bodies.map((body) => {
    const of = { player_id: users.indexOf(body.user_id), brand_id: brandId };
    return derivedEvent('balances', { ...body }, of);
  });
  const { changes, verdicts } = applyTo(balances, held, events);
  return { changes, verdicts: events.map((event) => verdicts.get(event) ?? 'applied') };
}

test('P3: any order, repetition and batching of the same messages leaves the same balances', () => {
  fc.assert(
    fc.property(
      fc
        .array(balancesBody, { minLength: 1, maxLength: 15 })
        .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const held = new Map<string, Balance>();
        for (const batch of batches) apply(held, batch);
        const shown = [...held.values()].map(({ player_id, key, at, base_amount }) => {
          const moment = new Date(at / 1000).toISOString().replace('.000', '');
          return [`${users[player_id]} ${key}`, `${moment} ${Math.round(Number(base_amount) * 1e4) / 100}`] as const;
        });
        expect(new Map(shown)).toEqual(plainBalances(brandId, bodies));
        expect(apply(held, bodies).changes).toEqual([]);
      },
    ),
    { numRuns: 1_500 },
  );
});

const message = (amount: number, second: number, key = 'real_money'): BalancesBody => ({
  user_id: 'a',
  origin: 'x',
  timestamp: `2026-05-01T10:00:0${second}Z`,
  balances: [{ key, amount, currency: 'EUR', exchange_rate: 1 }],
});

test('a retry is a repeat, another amount at the same moment is a conflict, an older message is neither', () => {
  const held = new Map<string, Balance>();
  expect(apply(held, [message(10, 1), message(10, 1)]).verdicts).toEqual(['applied', 'repeat']);
  expect(apply(held, [message(11, 1), message(5, 0), message(7, 2)]).verdicts).toEqual([
    'conflict',
    'applied',
    'applied',
  ]);
  expect(held.get('0:real_money')?.amount).toBe('7');
});

test('if a message contains a key several times, the last entry counts', () => {
  const held = new Map<string, Balance>();
  const twice = { ...message(1, 1), balances: [...message(1, 1).balances, ...message(2, 1).balances] };
  expect(apply(held, [twice, twice]).verdicts).toEqual(['applied', 'repeat']);
  expect(held.get('0:real_money')?.amount).toBe('2');
});
