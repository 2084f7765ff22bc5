import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { isCurrent } from '../../../testing/operator/setup-sync.ts';
import {
  change,
  out,
  pollOptions,
  setupWrites,
  type WriteSetup,
} from '../../../testing/operator/writeback/setup-writes.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';

const { pool } = await setupDatabase();

/** Asks the gate whether an e-mail to the player is allowed. */
function decision({ brand, player_id }: WriteSetup, id: string) {
  const gate = new Gate({ clock: systemClock, brands: { byId: () => brand } });
  const request = { brand_id: brand.brand_id, player_id, channel: 'email', purpose: 'marketing' } as const;
  const cause = { kind: 'check', id } as const;
  return transaction(pool, (tx) => gate.mayContact(tx, [{ ...request, cause, expires_at: null }])).then(([one]) => one);
}

test('P8: right after the click the next decision withholds, although an open look-up says opted in', async () => {
  const sync = await setupWrites(pool);
  sync.operator.books.change('p-1', {
    blocks: ['Excluded', 'Blocked'].map((type) => ({ type, active: false, note: '' })),
  });
  await sync.refresh(sync.player_id);
  await sync.until(sync.player_id, isCurrent);
  expect(await decision(sync, 'before')).toMatchObject({ outcome: 'allowed' });

  sync.operator.dials.set('userconsents_write', { faults: [{ fault: 'timeout', when: 'before_effect' }] });
  const clicked = Promise.withResolvers<void>();
  sync.operator.dials.set('userconsents', { hold: clicked.promise });
  sync.operator.calls.clear();
  await sync.refresh(sync.player_id, ['consents']);
  await expect.poll(() => sync.operator.calls.list().length, pollOptions).toBe(1);

  await change(sync, out('Email'));
  const withheld = { outcome: 'withheld', reason: 'no_consent' };
  expect(await decision(sync, 'click')).toMatchObject(withheld);
  clicked.resolve();
  await sync.until(sync.player_id, isCurrent);
  expect(await decision(sync, 'after the look-up')).toMatchObject(withheld);

  const { rows } = await pool.query('select kind, consent_type, source from protection_transition where kind = $1', [
    'consent_withdrawn',
  ]);
  expect(rows).toEqual([{ kind: 'consent_withdrawn', consent_type: 'Email', source: 'unsubscribe' }]);
});
