import { type EventKind, fingerprint } from '@croupier/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainBets } from '../../../test/plain/bets.ts';
import { plainBalances, plainBonuses, plainCarts, plainCustoms } from '../../../test/plain/bonuses-and-carts.ts';
import { plainLottery } from '../../../test/plain/lottery.ts';
import { receivedOf } from '../../../test/plain/received.ts';
import { plainRounds } from '../../../test/plain/rounds.ts';
import { createSimulation, duplicated, type SimulationOptions, shuffled } from '../index.ts';

/** Rates of quirks, far higher than in reality, so that most facts are contradicted. */
const contrary = {
  restamped: 0.2,
  conflict: 0.2,
  orphan: 0.3,
  late: 0.1,
  retry: 0.2,
  zoneless: 0.3,
  casino_rollback: 0.2,
  rollback_first: 0.1,
  activity_moved: 0.1,
  one_activity_id: 0.5,
  round_id_reused: 0.5,
  gameround_only: 0.3,
  raw_only: 0.3,
  locked_money: 0.3,
  no_parts: 0.3,
  long_round: 0.1,
  settlement_first: 0.3,
  partial_cashout: 0.4,
  blank_reference: 0.4,
  settlement_corrected: 0.4,
  bet_voided: 0.3,
  settled_twice: 0.5,
  bonus_reversed: 0.4,
  cart_id_reused: 0.5,
};

/** Compares the casino's books of every kind with what follows from its messages alone, in random order. */
function compare(options: SimulationOptions, count: number, disorder: number): Record<string, number> {
  const simulation = createSimulation(options);
  const messages = [...simulation.take(count), ...simulation.finish()];
  simulation.close();
  const disordered = shuffled(duplicated(messages, { rate: 0.1, seed: disorder }), disorder);
  const { brand, truth } = simulation;
  const print = (kind: EventKind, body: unknown) => fingerprint(brand.brand_id, kind, body);
  const of = <K extends EventKind>(kind: K) => receivedOf(disordered, kind, brand, print);
  const received = {
    casino: of('casino'),
    gameround: of('gameround'),
    sports: of('sports'),
    lottery: of('lottery'),
    purchases: of('lottery_purchase'),
    bonus: of('bonus'),
    cart: of('cart'),
    custom: of('custom'),
    balances: of('balances'),
  };
  const seen: Record<string, number> = {};
  for (const userId of truth.userIds()) {
    const known = truth.player(userId);
    if (known === undefined) continue;
    const { rounds, totals: casino } = plainRounds(
      received.casino.get(userId) ?? [],
      received.gameround.get(userId) ?? [],
      brand.base_currency,
    );
    const { bets, totals: sports } = plainBets(received.sports.get(userId) ?? []);
    const { totals: lottery, ...played } = plainLottery(
      received.purchases.get(userId) ?? [],
      received.lottery.get(userId) ?? [],
    );
    const { carts, totals: cart } = plainCarts(received.cart.get(userId) ?? []);
    const bonuses = plainBonuses(received.bonus.get(userId) ?? []);
    const balances = plainBalances(received.balances.get(userId) ?? []);
    const lists = { rounds, bets, ...played, bonuses, carts, balances };
    for (const [name, list] of Object.entries(lists)) {
      expect({ userId, [name]: sorted(known[name as keyof typeof lists]) }).toEqual({ userId, [name]: sorted(list) });
      seen[name] = (seen[name] ?? 0) + list.length;
    }
    const customs = plainCustoms(received.custom.get(userId) ?? []);
    expect(known).toMatchObject({ user_id: userId, casino, sports, lottery, cart, customs });
  }
  return seen;
}

function sorted(list: readonly object[]): object[] {
  return list
    .map((one) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe('the books of every kind equal what follows from the messages', () => {
  test('of a realistic casino over some days', () => {
    const seen = compare({ seed: 21, players: 30 }, 20_000, 1);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  }, 60_000);

  test('of contradictory casinos with any seed', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 50, max: 700 }),
        (seed, players, count) => {
          compare({ seed, players, quirks: contrary, visitsPerDay: 3 }, count, seed);
        },
      ),
      { numRuns: 80 },
    );
  }, 60_000);
});
