import { bonusStatuses } from '@croupier/contracts';
import { Big } from 'big.js';
import type { BalanceTruth, BonusTruth, CartTruth } from '../../src/index.ts';
import { total } from './money.ts';
import { eventsInForce, type Received } from './received.ts';

/** Bonuses in the simplest implementation of docs/reference/decisions.md 2.9: the latest event is the state. */
export function plainBonuses(received: readonly Received<'bonus'>[]): BonusTruth[] {
  const inForce = eventsInForce(received, (event) => [event.user_bonus_id, event.status, event.timestamp]);
  return [...Map.groupBy(inForce, ({ user_bonus_id }) => user_bonus_id)].map(([user_bonus_id, own]) => {
    own.sort((a, b) => a.timestamp - b.timestamp || place(a.status) - place(b.status));
    const last = own.at(-1) as (typeof own)[number];
    return {
      user_bonus_id,
      product: last.product,
      status: last.status,
      granted: last.status !== 'Reversed',
      granted_at: own[0]?.timestamp ?? 0,
      amount: new Big(last.amount).times(last.exchange_rate).toFixed(),
      turned_real: new Big(last.bonus_turned_real ?? '0').times(last.exchange_rate).toFixed(),
    };
  });
}

function place(status: string): number {
  return (bonusStatuses as readonly string[]).indexOf(status);
}

/**
 * Carts in the simplest implementation. Each (cart_id, type, status, timestamp) is one cart, and the totals are about paid
 * carts.
 */
export function plainCarts(received: readonly Received<'cart'>[]) {
  const inForce = eventsInForce(received, ({ cart_id, type, status, timestamp }) =>
    [cart_id, type, status, timestamp].map((one) => String(one).toLowerCase()),
  );
  const carts = inForce.map((event): CartTruth => {
    const { cart_id, timestamp: at, items } = event;
    const status = event.status.slice(0, 1).toUpperCase() + event.status.slice(1).toLowerCase();
    return { cart_id, status, at, amount: baseValue(event.amount, event).toFixed(), items: items.length };
  });
  const paid = inForce.filter(({ status }) => status === 'Successful');
  const times = paid.map(({ timestamp }) => timestamp);
  const totals = {
    cart_count: paid.length,
    item_count: paid.reduce((count, { items }) => count + items.length, 0),
    cart_sum: total(paid.map((event) => baseValue(event.amount, event))).toFixed(),
    discount_sum: total(paid.map((event) => baseValue(event.discount_amount ?? '0', event))).toFixed(),
    cart_first_at: times.length === 0 ? null : Math.min(...times),
    cart_last_at: times.length === 0 ? null : Math.max(...times),
  };
  return { carts, totals };
}

export function plainBalances(received: readonly Received<'balances'>[]): BalanceTruth[] {
  const entries = received.flatMap(({ event }) => event.balances.map((one) => ({ ...one, at: event.timestamp })));
  return [...Map.groupBy(entries, ({ key }) => key)].map(([key, own]) => {
    const last = own.reduce((a, b) => (a.at > b.at ? a : b));
    const base_amount = baseValue(last.amount, last).toFixed();
    return { key, at: last.at, amount: last.amount, currency: last.currency, base_amount };
  });
}

/** Returns the number of custom events by type. Events with the same fingerprint count as one. */
export function plainCustoms(received: readonly Received<'custom'>[]): Record<string, number> {
  const distinct = new Map(received.map(({ event, print }) => [print, event.notification_type]));
  const counts: Record<string, number> = {};
  for (const type of distinct.values()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function baseValue(amount: string, { exchange_rate }: { exchange_rate: string }): Big {
  return new Big(amount).times(exchange_rate);
}
