import { beforeAll, describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

const bonus = {
  user_id: 'ann',
  user_bonus_id: 'b-1',
  bonus_id: '12',
  bonus_code: 'WELCOME100',
  product: 'Casino',
  type: 'WelcomeBonus',
  status: 'Created',
  amount: 100,
  currency: 'SEK',
  exchange_rate: 0.1,
  origin: 'www.example.com',
  timestamp: '2026-05-01T10:00:00.000001Z',
  crm_references: { id: 'c-1' },
  meta: { expires_at: '2026-06-01T10:00:00Z' },
};
const cart = {
  user_id: 'ann',
  cart_id: 1,
  type: 'Checkout',
  status: 'Successful',
  amount: 60,
  currency: 'SEK',
  exchange_rate: 0.1,
  timestamp: '2026-05-01T10:00:00Z',
  meta: { store: 'main' },
  items: [{ id: 7, type: 'Scratch', name: 'Lucky Cat', amount: 60, meta: { quantity: 2 } }],
  payments: [{ type: 'Deposit', amount: 60 }],
};

beforeAll(async () => {
  await console.publish('bonus', bonus);
  const completed = { status: 'Completed', bonus_turned_real: 40, timestamp: '2026-05-01T11:00:00Z' };
  await console.publish('bonus', { ...bonus, ...completed, crm_references: undefined });
  await console.publish('bonus', { ...bonus, amount: 101 });
  await console.publish('bonus', {
    ...bonus,
    user_bonus_id: 'b-2',
    product: 'Bingo',
    timestamp: '2026-05-01T11:30:00Z',
  });
  await console.publish('cart', cart);
  await console.publish('cart', { ...cart, status: 'Pending', timestamp: '2026-05-01T09:59:00Z' });
  await console.derive();
});

describe('bonuses', () => {
  const path = '/brands/malta/players/ann/bonuses';

  test('are listed with their history', async () => {
    const { status, body } = await console.get(`${path}?product=casino`);
    expect(status).toBe(200);
    expect(body.next).toBeNull();
    expect(body.items).toEqual([
      {
        user_bonus_id: 'b-1',
        bonus_id: '12',
        bonus_code: 'WELCOME100',
        product: 'Casino',
        type: 'WelcomeBonus',
        status: 'Completed',
        status_at: '2026-05-01T11:00:00.000000Z',
        granted: true,
        granted_at: '2026-05-01T10:00:00.000001Z',
        amount: '100',
        currency: 'SEK',
        exchange_rate: '0.1',
        base_amount: '10',
        base_turned_real: '4',
        turned_real_at: '2026-05-01T11:00:00.000000Z',
        base_locked_amount: null,
        base_required_wagering: null,
        expires_at: '2026-06-01T10:00:00.000000Z',
        crm_references: { id: 'c-1' },
        origin: 'www.example.com',
        conflicts: 1,
        events: expect.arrayContaining([
          {
            status: 'Completed',
            timestamp: '2026-05-01T11:00:00.000000Z',
            amount: '100',
            currency: 'SEK',
            exchange_rate: '0.1',
            bonus_turned_real: '40',
            locked_amount: null,
            required_wagering_amount: null,
          },
        ]),
      },
    ]);
    expect(body.items[0].events).toHaveLength(3);
  });

  test.each([
    ['status=completed', ['b-1']],
    ['conflicting=true', ['b-1']],
    ['conflicting=false', ['b-2']],
    ['user_bonus_id=b-2', ['b-2']],
    ['from=2026-05-01T11:00:00Z', ['b-2']],
    ['to=2026-05-01T11:00:00Z', ['b-1']],
    ['status=Reversed', []],
  ])('with %s are %j', async (query, ids) => {
    const { body } = await console.get(`${path}?${query}`);
    expect(body.items.map(({ user_bonus_id }: { user_bonus_id: string }) => user_bonus_id)).toEqual(ids);
  });

  test('are paged; a cursor of another list is refused', async () => {
    const first = await console.get(`${path}?limit=1`);
    const second = await console.get(`${path}?limit=1&cursor=${first.body.next}`);
    expect([first, second].map(({ body }) => body.items[0].user_bonus_id)).toEqual(['b-2', 'b-1']);
    expect(second.body.next).toBeNull();
    const foreign = await console.get(`/brands/malta/players/ann/carts?cursor=${first.body.next}`);
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([400, 'cursor']);
    expect((await console.get(`${path}?state=Completed`)).status).toBe(400);
    expect((await console.get('/brands/malta/players/nobody/bonuses')).status).toBe(404);
  });
});

describe('carts', () => {
  const path = '/brands/malta/players/ann/carts';

  test('are listed with items and payments, and with meta for allowed roles', async () => {
    const { body } = await console.get(`${path}?counted=true`);
    expect(body.items).toEqual([
      {
        cart_id: '1',
        type: 'Checkout',
        status: 'Successful',
        counted: true,
        timestamp: '2026-05-01T10:00:00.000000Z',
        amount: '60',
        currency: 'SEK',
        exchange_rate: '0.1',
        base_amount: '6',
        discount_amount: '0',
        base_discount: '0',
        bonus_code: null,
        device_type: null,
        origin: null,
        meta: { store: 'main' },
        conflicts: 0,
        items: [
          {
            id: '7',
            type: 'Scratch',
            name: 'Lucky Cat',
            description: null,
            amount: '60',
            base_amount: '6',
            discount_amount: null,
            base_discount: null,
            bonus_code: null,
            meta: { quantity: 2 },
          },
        ],
        payments: [{ type: 'Deposit', amount: '60', base_amount: '6', meta: null }],
        versions: [{ amount: '60', discount_amount: '0', currency: 'SEK', exchange_rate: '0.1' }],
      },
    ]);
    const masked = await console.get(`${path}?counted=true`, await console.as('viewer'));
    expect(masked.body.items[0].meta).toEqual({ store: '***' });
    expect(masked.body.items[0].items[0].meta).toEqual({ quantity: '***' });
  });

  test('are filtered and paged', async () => {
    const first = await console.get(`${path}?limit=1`);
    const second = await console.get(`${path}?limit=1&cursor=${first.body.next}`);
    expect([first, second].map(({ body }) => body.items[0].status)).toEqual(['Successful', 'Pending']);
    expect((await console.get(`${path}?status=pending`)).body.items).toHaveLength(1);
    expect((await console.get(`${path}?type=Checkout&cart_id=1`)).body.items).toHaveLength(2);
    expect((await console.get(`${path}?to=2026-05-01T09:00:00Z`)).body.items).toEqual([]);
  });
});
