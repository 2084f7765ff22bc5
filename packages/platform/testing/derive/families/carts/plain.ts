import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/*
 * A simple implementation of carts, for tests. It computes them from all bodies at once, and shares no code with the incremental
 * implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and rates of
 * `history`.
 */

export interface CartBody {
  user_id: string;
  cart_id: number;
  type: string;
  status: string;
  timestamp: string;
  amount: number;
  discount_amount?: number;
  currency: string;
  exchange_rate: number;
  items: { id?: number; type?: string; amount?: number; discount_amount?: number }[];
  payments: { type?: string; amount?: number }[];
}

/** Times are milliseconds; money is in millionths of the base currency. */
export interface PlainCart {
  cart_id: string;
  type: string;
  status: string;
  counted: boolean;
  at: number;
  base_amount: bigint;
  discount: bigint;
  /** The amounts of its items, and of its payments. */
  items: (number | null)[];
  payments: (number | null)[];
  conflicts: number;
}

const amount = fc.constantFrom(10, 20, 0.1, 12.34, 0);
const item = fc.record(
  {
    id: fc.integer({ min: 1, max: 3 }),
    type: fc.constantFrom('Scratch', 'Lottery'),
    amount,
    discount_amount: fc.constantFrom(1, 0.5),
  },
  { requiredKeys: [] },
);
const payment = fc.record({ type: fc.constantFrom('Wallet', 'Deposit', 'Coins'), amount }, { requiredKeys: ['type'] });

const fields = {
  user_id: fc.constantFrom('a', 'b'),
  cart_id: fc.constantFrom(1, 2),
  type: fc.constantFrom('Checkout', 'Checkout', 'CHECKOUT', 'AddItem'),
  status: fc.constantFrom('Successful', 'successful', 'Pending', 'PENDING', 'Refunded'),
  // Close to midnight in Malta.
  timestamp: fc
    .integer({ min: 0, max: 2 })
    .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
  amount,
  currency: fc.constantFrom('EUR', 'SEK'),
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  items: fc.array(item, { maxLength: 3 }),
  payments: fc.array(payment, { maxLength: 2 }),
  discount_amount: fc.constantFrom(0, 2),
};

const body: fc.Arbitrary<CartBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'cart_id', 'type', 'status', 'timestamp', 'amount', 'currency'] as const),
    ...(['exchange_rate', 'items', 'payments'] as const),
  ],
});

/** An earlier event with one part changed, which makes a contradiction. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ items: fields.items }),
    fc.record({ payments: fields.payments }),
    fc.record({ discount_amount: fields.discount_amount }),
    fc.record({ exchange_rate: fields.exchange_rate }),
    fc.record({ status: fields.status }),
    fc.record({ timestamp: fields.timestamp }),
  ),
);

/** Few users, ids and times, and contradictions of earlier events, so that reused ids and conflicts are frequent. */
export const history: fc.Arbitrary<CartBody[]> = fc
  .tuple(fc.array(body, { minLength: 1, maxLength: 16 }), fc.array(contradiction, { maxLength: 16 }))
  .map(([bodies, contradictions]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as CartBody), ...other });
    return all;
  });

type PlainEvent = CartBody & { print: string };

/** Every player's carts from the set of all bodies, by user_id. */
export function plainCarts(brandId: number, bodies: readonly CartBody[]): Map<string, PlainCart[]> {
  const distinct = new Map(bodies.map((one) => [fingerprint(brandId, 'cart', one), one]));
  const events = [...distinct].map(([print, one]): PlainEvent => ({ ...one, print }));
  const players = new Map<string, PlainCart[]>();
  for (const [user, own] of Map.groupBy(events, ({ user_id }) => user_id)) {
    const key = (event: PlainEvent) =>
      `${event.cart_id} ${event.type} ${event.status} ${event.timestamp}`.toLowerCase();
    players.set(user, [...Map.groupBy(own, key).values()].map(plainCart));
  }
  return players;
}

const spellings = ['Checkout', 'Successful'];
const spelled = (word: string) => spellings.find((known) => known.toLowerCase() === word.toLowerCase()) ?? word;

function plainCart(rivals: readonly PlainEvent[]): PlainCart {
  const standing = rivals.reduce((best, rival) => (rival.print < best.print ? rival : best));
  const [type, status] = [spelled(standing.type), spelled(standing.status)];
  return {
    cart_id: String(standing.cart_id),
    type,
    status,
    counted: type === 'Checkout' && status === 'Successful',
    at: Date.parse(standing.timestamp),
    base_amount: inBase(standing, standing.amount),
    discount: inBase(standing, discountOf(standing)),
    items: standing.items.map((one) => one.amount ?? null),
    payments: standing.payments.map((one) => one.amount ?? null),
    conflicts: new Set(rivals.map(moneyOf)).size - 1,
  };
}

function discountOf({ discount_amount, items }: CartBody): number {
  if (discount_amount !== undefined) return discount_amount;
  return items.reduce((sum, one) => sum + (one.discount_amount ?? 0), 0);
}

function moneyOf(event: PlainEvent): string {
  const { amount, currency, exchange_rate } = event;
  return [amount, discountOf(event), currency, currency === 'EUR' ? 1 : exchange_rate].join('/');
}

/** amount x rate in millionths: amounts have at most 2 fraction digits, rates at most 4. */
function inBase(event: PlainEvent, amount: number): bigint {
  const cents = BigInt(Math.round(amount * 100));
  return cents * (event.currency === 'EUR' ? 10_000n : BigInt(Math.round(event.exchange_rate * 10_000)));
}
