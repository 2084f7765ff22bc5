import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { reserve } from '../budgets/index.ts';
import { beginAttempt, finishAttempt, sendAttempt } from './attempt.ts';
import { claimMs, intentQueue } from './claim-store.ts';
import { dropProtected } from './drop-protected.ts';
import { lockIntent } from './intent-store.ts';

const { pool } = await setupDatabase();

/** Resolves when this many connections of the database wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rows[0]?.waiting ?? 0) >= count) return;
  }
}

test('an exclusion that drops several intents never deadlocks with the answer to a call', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const { brand } = setup;
  const [anna, bert] = [await setup.knownPlayer('anna'), await setup.knownPlayer('bert')];
  const { rows } = await pool.query<{ budget_id: number }>(
    `insert into bonus_budget (brand_id, name, scope, activity_id, limit_count, created_at, created_by)
     values ($1, 'each player', 'player', null, 100, now(), 'a test'), ($1, 'pot', 'campaign', 'spring', 100, now(), 'a test')
     returning budget_id`,
    [brand.brand_id],
  );
  const pot = rows[1]?.budget_id;
  const activity = { activity_id: 'spring' };

  // Bert's call has its answer. The dropped intents hold a reservation of an earlier call.
  const { clients } = setup.worker;
  const deps = { pool, clients, gate: setup.gate, clock: systemClock, process: 'test', random: () => 0.5 };
  const open = await setup.order(bert, activity);
  const [claim] = await intentQueue.claim(pool, [
    { brand_id: brand.brand_id, kind: 'bonus', free: 1, claim_ms: claimMs },
  ]);
  const started = claim && (await beginAttempt(claim, brand, deps));
  if (started?.outcome !== 'started') throw new Error('the call must begin');
  const call = started.open;
  const answer = await sendAttempt(call, brand, deps, { maySend: async () => true });
  if (answer === null) throw new Error('the call must be made');
  const dropped = [await setup.order(anna, activity), await setup.order(bert, activity)];
  for (const id of dropped) {
    await transaction(pool, async (tx) => {
      const intent = await lockIntent(tx, id);
      if (intent !== null) await reserve(tx, [intent], { at: systemClock(), base_currency: 'EUR' });
    });
  }
  await pool.query(
    `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
     select unnest($1::bigint[]), 'excluded', 'Excluded', 'Excluded', true, 'staff', now()
     on conflict (player_id, type_key) do update set active = true, source = 'staff', as_of = now()`,
    [[anna, bert]],
  );

  // Both transactions run until they wait for the row of the campaign's total. The drop waits first.
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from bonus_budget_use where budget_id = $1 for update', [pot]);
  const drop = transaction(pool, (tx) =>
    dropProtected(
      tx,
      [anna, bert].map((player_id) => ({ player_id, kind: 'excluded' as const })),
      { gate: setup.gate, clock: systemClock },
    ),
  );
  await untilWaiting(1);
  const finish = finishAttempt(call, answer, { idempotent_bonus: false }, deps);
  await untilWaiting(2);
  await holder.query('commit');
  holder.release();

  expect(await Promise.all([drop, finish])).toEqual([{ dropped: 2 }, { outcome: 'done' }]);
  expect(await setup.intent(open)).toMatchObject({ state: 'credited', resolved_by: 'answer' });
  const { rows: uses } = await pool.query(
    'select reserved_count, spent_count from bonus_budget_use where budget_id = $1',
    [pot],
  );
  expect(uses).toEqual([{ reserved_count: 0, spent_count: 1 }]);
});

test('the outcome of a call is written however often the database aborts it because of a deadlock', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player = await setup.knownPlayer('anna');
  await pool.query(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$
      begin
        if nextval('refusals') <= 2 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$;
    create trigger refuse before update on bonus_attempt for each row execute function refuse()`);
  const intentId = await setup.order(player);
  await setup.runner.runOnce();
  await setup.runner.idle();
  await pool.query('drop trigger refuse on bonus_attempt');
  expect(await setup.intent(intentId)).toMatchObject({ state: 'credited', resolved_by: 'answer' });
});
