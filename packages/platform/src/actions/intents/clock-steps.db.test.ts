import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { ClockWatch } from '../../operator/players/index.ts';
import { actionDueTimes } from '../due-times.ts';

const { pool } = await setupDatabase();

test('if the database clock steps back, the due times of intents, proofs and dropped offers move, but the ends of offers do not', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player = await setup.addPlayer('anna');
  const [waiting, offer, stranded] = [
    await setup.order(player),
    await setup.order(player, { offer: true, expires_at: (Date.now() + 72 * 3_600_000) * 1_000 }),
    await setup.order(player),
  ];
  await pool.query(`update bonus_intent set due_at = now() + interval '2 hours' where intent_id = $1`, [waiting]);
  await pool.query(`update bonus_intent set due_at = now() + interval '2 days' where intent_id = $1`, [stranded]);
  const { brand_id } = setup.brand;
  await pool.query(
    `insert into bonus_resolution_request (brand_id, player_id, bonus_code, due_at) values ($1, 1, 'x', now() + interval '2 hours')`,
    [brand_id],
  );
  await pool.query(
    `insert into protection_delivery (follower, transition_id, due_at) values ('actions', 1, now() + interval '2 hours')`,
  );
  const hours = async () => {
    const { rows } = await pool.query<{ hours: number }>(
      `select round(extract(epoch from due_at - now()) / 3600)::int as hours from (
         select 1 as place, due_at from bonus_intent where intent_id = $1
         union all select 2, due_at from bonus_intent where intent_id = $2
         union all select 3, due_at from bonus_intent where intent_id = $3
         union all select 4, due_at from bonus_resolution_request
         union all select 5, due_at from protection_delivery) w order by place`,
      [waiting, offer, stranded],
    );
    return rows.map((row) => row.hours);
  };
  let steps = 0;
  const monotonic = () => performance.now() + steps;
  const watch = new ClockWatch({ pool, log: testLog, monotonic, dueTimes: actionDueTimes });
  await watch.runOnce();
  expect(await hours()).toEqual([2, 72, 0, 2, 2]);
  steps = 3_600_000;
  await watch.runOnce();
  expect(await hours()).toEqual([1, 72, 0, 1, 1]);
});
