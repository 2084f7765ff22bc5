import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveFromMessages } from '../../../test/plain-receiver.ts';
import { createSimulation, duplicated, type SimulationOptions, shuffled } from '../index.ts';

/** Rates of quirks of payments and logins, far higher than in reality, so that most facts are contradicted. */
const contrary = {
  restamped: 0.3,
  conflict: 0.2,
  orphan: 0.3,
  payment_rollback: 0.3,
  approved_again: 0.5,
  flip_flop: 0.2,
  same_second: 0.3,
  no_payment_id: 0.1,
  payment_id_reused: 0.5,
  impersonated: 0.2,
  zoneless: 0.3,
  late: 0.1,
  retry: 0.2,
};

/** Requires that the simulation's truth equals what a simple receiver concludes from the same messages in random order. */
function compare(options: SimulationOptions, count: number, disorder: number): number {
  const simulation = createSimulation(options);
  const messages = [...simulation.take(count), ...simulation.finish()];
  const disordered = shuffled(duplicated(messages, { rate: 0.1, seed: disorder }), disorder);
  const { brand, truth } = simulation;
  const print = (kind: 'payment', body: unknown) => fingerprint(brand.brand_id, kind, body);
  const derived = deriveFromMessages(disordered, brand, print);

  expect([...derived.keys()].sort()).toEqual([...truth.userIds()].sort());
  for (const [userId, conclusion] of derived) {
    const known = truth.player(userId);
    const { registered_at, logins, deposits, withdrawals } = conclusion;
    expect(known).toMatchObject({ registered_at, logins, deposits, withdrawals });
    expect(conclusion.orphans).toBe(known?.sent.payment?.orphan ?? 0);
    expect(conclusion.conflicts).toBe(known?.sent.payment?.conflict ?? 0);
    const withId = (known?.payments ?? []).filter((payment) => payment.payment_id !== null);
    expect(withId).toHaveLength([...conclusion.payments.keys()].filter((key) => !key.includes('without id')).length);
    for (const { payment_id, type, status, in_force } of withId) {
      const payment = conclusion.payments.get(`${type}/${payment_id}`);
      expect({ payment_id, status: payment?.status }).toEqual({ payment_id, status });
      if (in_force === null) expect(payment?.in_force).toBeNull();
      else expect(in_force).toMatchObject(payment?.in_force ?? {});
    }
  }
  return derived.size;
}

describe('the truth equals what a simple receiver concludes from the messages', () => {
  test('a realistic casino, shuffled, with 10 % duplicates', () => {
    expect(compare({ seed: 11, players: 150 }, 20_000, 1)).toBeGreaterThan(100);
  });

  test('a brand with another currency whose zone-less times are local', () => {
    const brand = {
      brand_id: 7,
      base_currency: 'SEK',
      time_zone: 'America/New_York',
      zoneless_timestamps: 'Europe/Malta',
    };
    // From two days before the clocks change to two days after.
    const start = Date.UTC(2025, 2, 28) * 1000;
    compare({ seed: 5, players: 30, brand, start, quirks: { zoneless: 0.5 } }, 8000, 2);
  });

  test('contradictory casinos with any seed', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 50, max: 800 }),
        (seed, players, count) => {
          compare({ seed, players, quirks: contrary, visitsPerDay: 6 }, count, seed);
        },
      ),
      { numRuns: 60 },
    );
  });
});
