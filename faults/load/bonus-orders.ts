import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import type { Console } from '../installation/console.ts';

/** One bonus that the platform was ordered to credit. */
export interface BonusOrder {
  user_id: string;
  bonus_code: string;
  /** Set for funds; undefined for a bonus. */
  amount?: number;
  /** The Idempotency-Key, which is the same in every repetition of the call. */
  key: string;
  /** When it was ordered, in milliseconds since the epoch. */
  ordered_at: number;
  /** The platform's answer. With it, the platform becomes responsible for the order. */
  intent_id: string;
}

export interface OrderOptions {
  console: Console;
  seed: string;
  users: readonly string[];
  codes: readonly string[];
  count: number;
  /** Orders per second. */
  rate: number;
  signal?: AbortSignal | undefined;
}

/** Every third order is one of funds. */
const fundsShare = 1 / 3;
const inFlight = 32;

/** Orders bonuses through the console API. Each call is repeated until it is answered. A repetition must not create a second bonus. */
export async function orderBonuses(options: OrderOptions): Promise<BonusOrder[]> {
  const { console, seed, users, codes, count, rate, signal } = options;
  const random = seededRandom(`orders/${seed}`);
  const orders: BonusOrder[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let n = 0; n < count; n++) {
    signal?.throwIfAborted();
    const order = draw(random, { users, codes }, `${seed}-${n}`);
    const ordered_at = Date.now();
    const placing: Promise<void> = place(console, order).then((intent_id) => {
      orders.push({ ...order, ordered_at, intent_id });
      underWay.delete(placing);
    });
    underWay.add(placing);
    if (underWay.size >= inFlight) await Promise.race(underWay);
    await delay(Math.max(0, startedAt + (n * 1000) / rate - performance.now()), undefined, { signal });
  }
  await Promise.all(underWay);
  return orders;
}

function draw(random: Random, from: { users: readonly string[]; codes: readonly string[] }, key: string) {
  const one = (list: readonly string[]) => list[random.whole(0, list.length - 1)] ?? '';
  const order = { user_id: one(from.users), bonus_code: one(from.codes), key };
  return random.chance(fundsShare) ? { ...order, amount: random.whole(1, 50) } : order;
}

async function place(
  console: Console,
  { user_id, key, ...order }: Omit<BonusOrder, 'intent_id' | 'ordered_at'>,
): Promise<string> {
  const body = order.amount === undefined ? order : { ...order, currency: 'EUR' };
  const { intent_id } = await console.insist<{ intent_id: string }>(`players/${user_id}/bonus-credits`, body, key);
  return String(intent_id);
}
