import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { applyIntentEvent } from './apply.ts';
import { createIntents } from './create.ts';
import { dropProtected } from './drop-protected.ts';

const { pool } = await setupDatabase();

test('an exclusion drops waiting intents, with a record each, and keeps those that may have been credited', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player = await setup.knownPlayer('anna');
  const [offered, pending, open] = await Promise.all([
    setup.order(player, { offer: true }),
    setup.order(player),
    setup.order(player),
  ]);
  const began = { type: 'attempt_began', answer_within_ms: 60_000 } as const;
  await transaction(pool, (tx) => applyIntentEvent(tx, open, began, { at: systemClock() }));
  const drop = (kind: 'excluded' | 'consent_withdrawn') =>
    transaction(pool, (tx) =>
      dropProtected(tx, [{ player_id: player, kind }], { gate: setup.gate, clock: systemClock }),
    );
  // The gate does not see a block: a transition only causes the check, and the gate decides.
  expect(await drop('excluded')).toEqual({ dropped: 0 });
  setup.operator.books.change('anna', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  await setup.refresh(player);
  await setup.until(player, ({ profile }) => profile?.is_excluded === true);
  expect(await drop('consent_withdrawn')).toEqual({ dropped: 0 });
  expect(await drop('excluded')).toEqual({ dropped: 2 });

  for (const intentId of [offered, pending]) {
    expect(await setup.intent(intentId)).toMatchObject({
      state: 'rejected',
      reason: 'excluded',
      resolved_by: 'protection',
    });
    const { rows } = await pool.query(
      "select outcome, reason from gate_decision where cause_kind = 'intent' and cause_id = $1 and outcome = 'withheld'",
      [intentId],
    );
    expect(rows).toEqual([{ outcome: 'withheld', reason: 'excluded' }]);
  }
  expect(await setup.intent(open)).toMatchObject({ state: 'pending', open_attempt: 1 });
});

test('an exclusion drops all waiting intents, whatever their number', async () => {
  const setup = await setupIntents(pool, { runs: false });
  const player = await setup.knownPlayer('bert');
  const offer = { brand_id: setup.brand.brand_id, player_id: player, bonus_code: 'O', offer: true, created_by: 'x' };
  await transaction(pool, (tx) => createIntents(tx, Array<typeof offer>(1_050).fill(offer), systemClock()));
  await pool.query(
    `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
     values ($1, 'excluded', 'Excluded', 'Excluded', true, 'staff', now())
     on conflict (player_id, type_key) do update set active = true, source = 'staff', as_of = now()`,
    [player],
  );
  const transition = { player_id: player, kind: 'excluded' } as const;
  const dropped = await transaction(pool, (tx) =>
    dropProtected(tx, [transition], { gate: setup.gate, clock: systemClock }),
  );
  expect(dropped).toEqual({ dropped: 1_050 });
});
