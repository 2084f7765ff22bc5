import { Pool } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

const payment = (payment_id: string, fields: object) => ({
  user_id: 'ann',
  payment_id,
  type: 'Credit',
  status: 'Approved',
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  vendor_id: 'v-1',
  origin: 'a.example.com',
  timestamp: '2026-05-01T11:00:00Z',
  ...fields,
});

beforeAll(async () => {
  await console.publish('payment', payment('other', { amount: 7 }));
  await console.publish('payment', payment('p-1', { amount: 10 }));
  await console.publish('payment', payment('p-1', { amount: 12 }));
  await console.publish('payment', payment('p-2', { status: 'Rollback' }));
  await console.publish('payment', payment('p-3', { status: 'Rejected', timestamp: '2026-05-01T11:30:00Z' }));
  await console.derive();
  await console.publish('payment', payment('p-3', { status: 'Requested', timestamp: '2026-05-01T11:20:00Z' }));
  await console.derive();
});

describe('a conflict', () => {
  test('is listed with both versions, their positions, and which of them is in force', async () => {
    const { body } = await console.get('/brands/malta/conflicts');
    expect(body.items).toHaveLength(1);
    const [conflict] = body.items;
    expect(conflict).toMatchObject({ kind: 'payment', user_id: 'ann', verdict: 'conflict' });
    expect(conflict.fact).toMatchObject({
      type: 'payment',
      key: { payment_id: 'p-1', type: 'Credit' },
      status: 'Approved',
      orphan: false,
    });
    const { versions } = conflict.fact;
    expect(versions.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['10', '12']);
    expect(versions.filter(({ in_force }: { in_force: boolean }) => in_force)).toHaveLength(1);
    for (const { position, amount } of versions) {
      const { body: event } = await console.get(`/brands/malta/feed/${position}`);
      expect(String(event.body.amount)).toBe(amount);
    }
  });
});

test('a contradiction of an old payment shows its versions, however many events followed', async () => {
  const old = { user_id: 'bea', timestamp: '2026-04-01T10:00:00Z' };
  await console.publish('payment', payment('old', { ...old, amount: 1 }));
  for (let i = 0; i < 210; i++) {
    const timestamp = new Date(Date.UTC(2026, 3, 10) + i * 60_000).toISOString();
    await console.publish('payment', payment(`filler-${i}`, { user_id: 'bea', timestamp }));
    await console.publish('payment', payment(`filler-${i}`, { user_id: 'bea', timestamp, amount: 11 }));
  }
  await console.publish('payment', payment('old', { ...old, status: 'Approved', amount: 2 }));
  await console.derive();
  const { body } = await console.get('/brands/malta/conflicts?limit=1');
  const { fact: found } = body.items[0];
  expect(found.key.payment_id).toBe('old');
  expect(found.versions.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['1', '2']);
});

describe('orphans', () => {
  test('are listed, and show whether their counterpart has arrived since', async () => {
    const { body } = await console.get('/brands/malta/orphans?kind=payment');
    expect(
      body.items.map(({ fact }: { fact: { key: { payment_id: string }; orphan: boolean; versions: object[] } }) => [
        fact.key.payment_id,
        fact.orphan,
        fact.versions.length,
      ]),
    ).toEqual([
      ['p-3', false, 2],
      ['p-2', true, 1],
    ]);
  });

  test('are paged, and filtered by kind', async () => {
    const first = await console.get('/brands/malta/orphans?limit=1');
    const second = await console.get(`/brands/malta/orphans?limit=1&cursor=${first.body.next}`);
    expect(second.body.items[0].fact.key.payment_id).toBe('p-2');
    expect((await console.get('/brands/malta/orphans?kind=casino')).body.items).toEqual([]);
  });
});

test('a page of many contradictions needs as many round trips to the database as a page with one', async () => {
  for (const payment_id of ['m-1', 'm-2', 'm-3', 'm-4', 'm-5']) {
    await console.publish('payment', payment(payment_id, { user_id: 'cleo', amount: 10 }));
    await console.publish('payment', payment(payment_id, { user_id: 'cleo', amount: 12 }));
  }
  await console.derive();
  const turnsOf = async (limit: number) => {
    const turns = [vi.spyOn(Pool.prototype, 'query'), vi.spyOn(Pool.prototype, 'connect')];
    try {
      const { body } = await console.get(`/brands/malta/conflicts?limit=${limit}`);
      expect(body.items.map(({ fact }: { fact: { versions: object[] } }) => fact.versions.length)).toEqual(
        Array.from({ length: limit }, () => 2),
      );
      return turns.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    } finally {
      for (const turn of turns) turn.mockRestore();
    }
  };
  const one = await turnsOf(1);
  expect(await turnsOf(5)).toBe(one);
});
