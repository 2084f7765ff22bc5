import { expect, test } from 'vitest';
import { timeline } from './journal/index.ts';
import { paymentBody, setupStage } from './test-stage.ts';
import { readTraits } from './traits/index.ts';

const { pool, clock, brand, publish, derive, playerId } = await setupStage({ brand: { time_zone: 'Europe/Malta' } });

test('a deposit becomes a fact, totals, traits and a journal entry', async () => {
  await publish(
    { kind: 'registration', body: { user_id: 'a', timestamp: '2026-05-01T10:00:00Z' } },
    { kind: 'login', body: { user_id: 'a', timestamp: '2026-05-01T10:00:01Z' } },
    { kind: 'payment', body: paymentBody({ user_id: 'a', payment_id: 'p1', amount: 12.5, deposit_count: 7 }) },
  );
  await derive();
  const player_id = await playerId('a');
  const traits = await readTraits(pool, { player_id, time_zone: brand.settings.time_zone }, clock.now());
  expect(traits.deposit_sum).toEqual({ value: '12.5', unit: 'base_currency', as_of: clock.now() });
  expect(traits.deposit_count_24h?.value).toBe(1);
  expect(traits.deposit_count_7d?.value).toBe(1);
  expect(traits.login_count_today?.value).toBe(1);
  expect(traits.reported_deposit_count?.value).toBe(7);
  const { entries } = await timeline(pool, player_id, {}, 10);
  expect(entries.map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ['payment', 'applied'],
    ['login', 'applied'],
    ['registration', 'applied'],
  ]);
});
