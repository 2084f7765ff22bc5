import { expect, test } from 'vitest';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { listBalances } from './index.ts';

const stage = await setupStage();
const { pool, publish, derive, playerId } = stage;

const message = (timestamp: string, ...balances: Record<string, unknown>[]) => ({
  kind: 'balances' as const,
  body: { user_id: 'ann', origin: 'x', timestamp, balances },
});
const real = (amount: number | string, currency = 'EUR', exchange_rate = '1') => {
  return { key: 'real_money', amount, currency, exchange_rate };
};

test('the latest balance of each key is in force, whatever the order of the messages', async () => {
  await publish(
    message('2026-05-01T11:00:00Z', real('55.950', 'SEK', '0.1'), { ...real(10), key: 'Bonus_Money' }),
    message('2026-05-01T10:00:00Z', real(1), { ...real(3), key: 'points' }),
  );
  await derive();
  await publish(message('2026-05-01T10:30:00Z', real(2)), message('2026-05-01T11:30:00Z'));
  await derive();
  const balances = await listBalances(pool, await playerId('ann'));
  expect(
    balances.map(({ key, at, amount, currency, base_amount }) => [key, at, amount, currency, base_amount]),
  ).toEqual([
    ['bonus_money', Date.UTC(2026, 4, 1, 11) * 1000, '10', 'EUR', '10'],
    ['points', Date.UTC(2026, 4, 1, 10) * 1000, '3', 'EUR', '3'],
    ['real_money', Date.UTC(2026, 4, 1, 11) * 1000, '55.95', 'SEK', '5.595'],
  ]);
});
