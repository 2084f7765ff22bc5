import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { readWaitingBonusCalls } from './waiting.ts';

const { pool } = await setupDatabase();

test('while the circuit of bonus_credit is open, intents stay due and untried, and are credited with the first probe', async () => {
  const setup = await setupIntents(pool);
  const { brand, operator, worker, runner } = setup;
  const { circuits } = worker.health;
  const player = await setup.knownPlayer('ann');
  for (let n = 0; n < 20; n++) circuits.recordAnswer(brand.brand_id, 'bonus_credit', { alive: false });
  const intents = await Promise.all([1, 2, 3].map(() => setup.order(player)));
  await runner.runOnce();
  expect(operator.calls.count('bonus_credit')).toBe(0);
  expect(await readWaitingBonusCalls(pool, brand.brand_id)).toEqual([
    { endpoint: 'bonus_credit', due: 3, oldest_due_at: expect.any(Number), retrying: 0 },
  ]);
  for (const id of intents) expect(await setup.intent(id)).toMatchObject({ state: 'pending', attempts: 0, tries: 0 });
  for (const id of intents) await setup.untilState(id, 'credited');
  expect(intents.map(setup.creditsOf)).toEqual([1, 1, 1]);
  expect(circuits.notClosed()).toEqual([]);
});
