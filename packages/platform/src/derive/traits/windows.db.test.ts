import type { EventKind } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { readWindow, type Window } from '../totals/index.ts';
import { readTraits } from './index.ts';

/*
 * Windows expire without events: two events are one microsecond apart, at the boundary of an hour or of a brand's day,
 * and the test controls the clock. Nothing arrives while it moves, and every family's traits change at the same moment.
 */

const { pool, clock, publish, derive, playerId } = await setupStage();

const at = (text: string) => Date.parse(text) * 1000;
const money = { amount: 10, currency: 'EUR', exchange_rate: 1, origin: 'www.example.com' };

type Body = (user_id: string, id: string, timestamp: string) => Record<string, unknown> & { user_id: string };

/** One event of each family that has windows, and the traits that count it. */
const counted: Record<string, { kind: EventKind; traits: readonly string[]; body: Body }> = {
  payments: {
    kind: 'payment',
    traits: ['deposit_count'],
    body: (user_id, payment_id, timestamp) => paymentBody({ user_id, payment_id, timestamp }),
  },
  logins: { kind: 'login', traits: ['login_count'], body: (user_id, _, timestamp) => ({ user_id, timestamp }) },
  casino: {
    kind: 'casino',
    traits: ['casino_bet_count', 'casino_round_count', 'bet_count'],
    body: (user_id, id, timestamp) => ({
      user_id,
      timestamp,
      ...money,
      type: 'Bet',
      activity_id: id,
      round_id: id,
      is_round_end: true,
      game_id: 'g',
      vendor_id: 'v',
    }),
  },
  sports: {
    kind: 'sports',
    traits: ['sports_bet_count', 'bet_count'],
    body: (user_id, activity_id, timestamp) => ({
      user_id,
      timestamp,
      ...money,
      type: 'Bet',
      activity_id,
      bet_type: 'Single',
      bets: [{ market: 'x', selections: [{ odds: 2 }] }],
    }),
  },
  lottery: {
    kind: 'lottery',
    traits: ['lottery_bet_count', 'lottery_ticket_count', 'bet_count'],
    body: (user_id, ticket_id, timestamp) => ({
      user_id,
      timestamp,
      ...money,
      type: 'Bet',
      ticket_id,
      lottery_id: 'l',
      draw_id: 'd',
      draw_date: '2026-12-24T20:00:00Z',
      lines: [{ line_id: '1' }],
    }),
  },
  bonuses: {
    kind: 'bonus',
    traits: ['bonus_granted_count'],
    body: (user_id, user_bonus_id, timestamp) => ({
      user_id,
      timestamp,
      ...money,
      user_bonus_id,
      bonus_id: 'b',
      product: 'Casino',
      status: 'Created',
      type: 'WelcomeBonus',
    }),
  },
  carts: {
    kind: 'cart',
    traits: ['cart_count'],
    body: (user_id, cart_id, timestamp) => ({
      user_id,
      timestamp,
      ...money,
      cart_id,
      status: 'Successful',
      type: 'Checkout',
      items: [],
      payments: [],
    }),
  },
};

const families = Object.entries(counted).map(([name, family]) => ({ name, ...family }));

async function values(user: string, time_zone: string, now: number, names: readonly string[], window: string) {
  const player = { player_id: await playerId(user), time_zone };
  const traits = await readTraits(pool, player, now, [readWindow(window) as Window]);
  return names.map((name) => traits[`${name}_${window}`]?.value);
}

describe.each(families)('$name', ({ name, kind, traits, body }) => {
  const all = (value: number) => traits.map(() => value);

  test('"last 24 hours" drops events at the full UTC hour', async () => {
    clock.set(at('2026-05-01T12:30:00Z'));
    await publish(
      { kind, body: body(name, '1', '2026-05-01T11:59:59.999999Z') },
      { kind, body: body(name, '2', '2026-05-01T12:00:00.000000Z') },
    );
    await derive();
    const last24h = (now: string) => values(name, 'UTC', at(now), traits, '24h');
    expect(await last24h('2026-05-02T10:59:59.999Z')).toEqual(all(2));
    expect(await last24h('2026-05-02T11:00:00.000Z')).toEqual(all(1));
    expect(await last24h('2026-05-02T11:59:59.999Z')).toEqual(all(1));
    expect(await last24h('2026-05-02T12:00:00.000Z')).toEqual(all(0));
  });
});

describe.each([
  // Clocks go forward on 2026-03-29 at 01:00 UTC. The first day begins at +01:00, the eighth at +02:00.
  { time_zone: 'Europe/Malta', first: '2026-03-24T23:00:00Z', eighth: '2026-03-31T22:00:00Z' },
  // Clocks go back on 2026-10-25 at 01:00 UTC.
  { time_zone: 'Europe/Malta', first: '2026-10-21T22:00:00Z', eighth: '2026-10-28T23:00:00Z' },
  // Clocks go forward on 2026-03-08 at 07:00 UTC.
  { time_zone: 'America/New_York', first: '2026-03-05T05:00:00Z', eighth: '2026-03-12T04:00:00Z' },
  // Clocks go back on 2026-11-01 at 06:00 UTC.
  { time_zone: 'America/New_York', first: '2026-10-29T04:00:00Z', eighth: '2026-11-05T05:00:00Z' },
  { time_zone: 'Asia/Kathmandu', first: '2026-04-30T18:15:00Z', eighth: '2026-05-07T18:15:00Z' },
])('$time_zone, seven days from $first', ({ time_zone, first, eighth }) => {
  const lastMoment = (text: string) => `${new Date(Date.parse(text) - 1).toISOString().slice(0, -1)}999Z`;

  test('"today" and "last 7 days" change at the brand\'s midnight, in every family', async () => {
    clock.set(at(first) + 1_000_000);
    const { brand } = await createBrand(pool, { time_zone });
    for (const { kind, body } of families) {
      const bodies = [body('p', '1', lastMoment(first)), body('p', '2', first)];
      await publish(...bodies.map((own) => ({ kind, body: own, brand })));
    }
    await derive();
    const player = { player_id: await playerId('p', brand), time_zone };
    const windows = ['today', '7d', 'prev_7d'].map((name) => readWindow(name) as Window);
    const names = [...new Set(families.flatMap(({ traits }) => traits))];
    // There is one event of each of three products, so the trait over all products counts three times as many.
    const all = (value: number) => names.map((name) => [name, name === 'bet_count' ? 3 * value : value]);
    const read = async (now: number, window: 'today' | '7d' | 'prev_7d') => {
      const readings = await readTraits(pool, player, now, windows);
      return names.map((name) => [name, readings[`${name}_${window}`]?.value]);
    };
    expect(await read(at(first) - 1, 'today')).toEqual(all(1));
    expect(await read(at(first) - 1, '7d')).toEqual(all(1));
    expect(await read(at(first), 'today')).toEqual(all(1));
    expect(await read(at(first), '7d')).toEqual(all(2));
    expect(await read(at(eighth) - 1, '7d')).toEqual(all(1));
    expect(await read(at(eighth), '7d')).toEqual(all(0));
    // An event that leaves the last seven days enters the seven days before, and leaves those seven days later.
    expect(await read(at(first), 'prev_7d')).toEqual(all(0));
    expect(await read(at(eighth) - 1, 'prev_7d')).toEqual(all(1));
    expect(await read(at(eighth), 'prev_7d')).toEqual(all(2));
    const fifteenth = at(eighth) + 7 * 86_400_000_000;
    expect(await read(fifteenth - 1, 'prev_7d')).toEqual(all(1));
    expect(await read(fifteenth, 'prev_7d')).toEqual(all(0));
  });

  test('"days since" and "last 7 days" change together', async () => {
    clock.set(at(first) + 1_000_000);
    const { brand } = await createBrand(pool, { time_zone });
    await publish({ kind: 'payment', body: paymentBody({ user_id: 'p', payment_id: '1', timestamp: first }), brand });
    await derive();
    const player = { player_id: await playerId('p', brand), time_zone };
    const read = async (now: number) => {
      const { days_since_deposit, deposit_count_7d } = await readTraits(pool, player, now, [
        readWindow('7d') as Window,
      ]);
      return [days_since_deposit?.value, deposit_count_7d?.value];
    };
    expect(await read(at(first))).toEqual([0, 1]);
    expect(await read(at(eighth) - 1)).toEqual([6, 1]);
    expect(await read(at(eighth))).toEqual([7, 0]);
  });
});
