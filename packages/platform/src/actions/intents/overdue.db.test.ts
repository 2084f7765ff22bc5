import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { claimMs, intentQueue } from './claim-store.ts';
import { createIntents } from './create.ts';
import { passTime } from './due.ts';

const { pool } = await setupDatabase();

test('overdue intents that cannot be moved wait behind the others', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player_id = await setup.addPlayer('anna');
  const offer = {
    brand_id: setup.brand.brand_id,
    player_id,
    bonus_code: 'O',
    offer: true,
    created_by: 'x',
    expires_at: systemClock() - 1,
  };
  const stuck = { ...offer, bonus_code: 'STUCK' };
  await transaction(pool, (tx) => createIntents(tx, Array<typeof offer>(200).fill(stuck), systemClock()));
  const [later] = await transaction(pool, (tx) => createIntents(tx, [offer], systemClock()));
  await pool.query(`
    update bonus_intent set due_at = due_at - interval '1 minute' where bonus_code = 'STUCK';
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
    create trigger refuse before update of state on bonus_intent for each row
      when (new.bonus_code = 'STUCK') execute function refuse()`);
  const deps = { pool, clock: systemClock, random: () => 0.5, isIdempotent: () => false };
  const first = await passTime(deps);
  expect({ moved: first.moved, failed: first.failures.length }).toEqual({ moved: 0, failed: 200 });
  expect(await passTime(deps)).toEqual({ moved: 1, failures: [] });
  expect(await setup.intent(later?.intent_id ?? '')).toMatchObject({ state: 'rejected', reason: 'expired' });
});

test('repeated requests in a batch return their earlier intents; each claim has its own number', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player_id = await setup.addPlayer('bert');
  const asked = ['a', 'b', 'c'].map((request_key) => ({
    brand_id: setup.brand.brand_id,
    player_id,
    bonus_code: 'B',
    created_by: 'x',
    request_key,
  }));
  const create = (from: number) => transaction(pool, (tx) => createIntents(tx, asked.slice(from), systemClock()));
  const before = await create(1);
  const [first, ...rest] = await create(0);
  expect(first?.repeated).toBe(false);
  expect(rest).toEqual(before.map((one) => ({ ...one, repeated: true })));
  const claims = await intentQueue.claim(pool, [
    { brand_id: setup.brand.brand_id, kind: 'bonus', free: 3, claim_ms: claimMs },
  ]);
  expect(new Set(claims.map(({ claim }) => claim)).size).toBe(3);
});
