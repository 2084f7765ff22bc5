import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import {
  type FundsBody,
  history,
  type PlainFunds,
  plainFunds,
} from '../../../../testing/derive/families/funds/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import { type Funds, partsOf } from './funds.ts';
import { funds as family } from './index.ts';

const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

function apply(held: Map<string, Funds>, bodies: readonly FundsBody[]) {
  const events = bodies.map((body) => {
    const of = { player_id: users.indexOf(body.user_id), brand_id: brandId, settings };
    return derivedEvent('funds_credited', { ...body }, of);
  });
  const { changes, verdicts } = applyTo(family, held, events);
  return { changes, verdicts: events.map((event) => verdicts.get(event) ?? 'applied') };
}

test('P3: any order, repetition and batching of the same events gives the same funds and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const held = new Map<string, Funds>();
        let sum = 0n;
        for (const batch of batches) {
          for (const { before, after } of apply(held, batch).changes)
            sum += baseAmountsOf(after) - baseAmountsOf(before);
        }
        const plain = plainFunds(brandId, bodies);
        for (const [player, user] of users.entries()) {
          const own = [...held.values()].filter(({ player_id }) => player_id === player);
          expect(sorted(own.map(asPlain))).toEqual(sorted(plain.get(user) ?? []));
        }
        const counted = [...plain.values()].flat().filter((funds) => funds.counted);
        expect(sum).toBe(counted.reduce((total, { base_amount }) => total + base_amount, 0n));
        expect(apply(held, bodies).changes).toEqual([]);
      },
    ),
    { numRuns: 1_000 },
  );
});

const body = (revision: number, fields: Partial<FundsBody> = {}): FundsBody => ({
  user_id: 'a',
  intent_id: '1',
  revision,
  status: 'Approved',
  timestamp: '2026-04-29T22:30:00Z',
  amount: 10,
  currency: 'SEK',
  exchange_rate: 0.1,
  ...fields,
});

test('a retry is a repeat, other money under one revision is a conflict, an older revision has no effect', () => {
  const held = new Map<string, Funds>();
  expect(apply(held, [body(2), body(2)]).verdicts).toEqual(['applied', 'repeat']);
  expect(apply(held, [body(2, { amount: 11, timestamp: '2026-04-29T23:30:00Z' })]).verdicts).toEqual(['conflict']);
  expect(apply(held, [body(1, { status: 'Rollback' })]).changes).toEqual([]);
  // Half past midnight in Malta.
  expect([...held.values()]).toMatchObject([{ counted: true, day: '2026-04-30', amount: '10', base_amount: '1' }]);
  expect(apply(held, [body(3, { status: 'Rollback' })]).verdicts).toEqual(['applied']);
  expect([...held.values()].flatMap(partsOf)).toEqual([]);
});

function baseAmountsOf(funds: Funds | undefined): bigint {
  return partsOf(funds).reduce((sum, { sums }) => sum + millionths(sums?.funds_credited_sum ?? '0'), 0n);
}

function asPlain({ intent_id, counted, at, base_amount }: Funds): PlainFunds {
  return { intent_id, counted, at: at / 1000, base_amount: millionths(base_amount) };
}

function sorted(funds: readonly PlainFunds[]): PlainFunds[] {
  return [...funds].sort((a, b) => (a.intent_id < b.intent_id ? -1 : 1));
}
