import { describe, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { isCurrent } from '../../../testing/operator/setup-sync.ts';
import {
  change,
  consent,
  hurry,
  out,
  pollOptions,
  setupWrites,
  untilState,
  writesOf,
} from '../../../testing/operator/writeback/setup-writes.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { maxRewrites } from '../players/own-changes/rewrite.ts';
import { countWriteBacks, listOpenWriteBacks, listPlayerWriteBacks, listWriteAttempts, setBlock } from './index.ts';

const { pool } = await setupDatabase();

test("a withdrawal counts immediately, is written in the operator's spelling, and is confirmed by a look-up", async () => {
  const sync = await setupWrites(pool, { started: false });
  for (const item of sync.operator.books.player('p-1')?.consents ?? []) item.type = item.type.toLowerCase();
  await sync.worker.start();
  await sync.refresh(sync.player_id);
  await sync.until(sync.player_id, isCurrent);

  await change(sync, out('PostMail'), { type: 'SMS', opted_in: true });
  expect(await consent(sync, 'PostMail')).toMatchObject({ opted_in: false, source: 'unsubscribe' });
  const item = await untilState(sync, 'confirmed', 'PostMail');
  expect(item).toMatchObject({ wanted: false, said: false, attempts: 0, failing_since: null, rewrites: 0 });
  expect(item.stored_at).toBeGreaterThan(item.changed_at);

  const request = {
    consents: [
      { type: 'postmail', opted_in: false },
      { type: 'sms', opted_in: true },
    ],
  };
  expect(sync.operator.books.writeBacks).toMatchObject([{ body: request }]);
  expect(await consent(sync, 'PostMail')).toMatchObject({ opted_in: false });
  const [attempt] = await listWriteAttempts(pool, sync.player_id);
  expect(attempt).toMatchObject({ record: 'consents', status: 200, outcome: 'stored', request });
});

test('a type that no record has is spelled as in the interface', async () => {
  const sync = await setupWrites(pool, { started: false });
  await change(sync, out('PostMail'));
  await sync.worker.start();
  await untilState(sync, 'confirmed', 'PostMail');
  expect(sync.operator.books.writeBacks).toMatchObject([
    { body: { consents: [{ type: 'PostMail', opted_in: false }] } },
  ]);
});

test('a player whom the brand does not have, or who was erased, is not changed', async () => {
  const sync = await setupWrites(pool, { started: false });
  const { player_id, brand } = sync;
  const block = {
    brand_id: brand.brand_id,
    type: 'Blocked',
    active: true,
    note: 'n',
    source: 'staff',
    at: systemClock(),
    write_back: false,
  } as const;
  const blocked = (playerId: number) => transaction(pool, (tx) => setBlock(tx, { ...block, player_id: playerId }));
  const refused = { name: 'UnknownPlayer', code: 'unknown_player' };
  await expect(blocked(player_id + 1_000)).rejects.toMatchObject(refused);
  await pool.query("update player set user_id = 'erased', erased_at = now() where player_id = $1", [player_id]);
  await pool.query('delete from player_sync where player_id = $1', [player_id]);
  await expect(change(sync, out('Email'))).rejects.toMatchObject(refused);
  await expect(blocked(player_id)).rejects.toMatchObject(refused);
  for (const table of ['player_sync', 'player_consent', 'player_block', 'write_back', 'write_back_item']) {
    expect((await pool.query(`select from ${table} where player_id = $1`, [player_id])).rowCount, table).toBe(0);
  }
});

test('a write whose player is erased during the call leaves no row', async () => {
  const sync = await setupWrites(pool);
  const erased = Promise.withResolvers<void>();
  sync.operator.dials.set('userconsents_write', { hold: erased.promise });
  await change(sync, out('Email'));
  const { player_id } = sync;
  const calls = () => sync.operator.calls.list().filter(({ endpoint }) => endpoint === 'userconsents_write');
  await expect.poll(() => calls().length, pollOptions).toBe(1);
  const tables = ['player_sync', 'write_back', 'write_back_item', 'write_back_attempt'];
  await transaction(pool, async (tx) => {
    for (const table of tables) await tx.query(`delete from ${table} where player_id = $1`, [player_id]);
    await tx.query("update player set user_id = 'erased:2', erased_at = now() where player_id = $1", [player_id]);
  });
  erased.resolve();
  await sync.worker.stop();
  for (const table of tables)
    expect((await pool.query(`select from ${table} where player_id = $1`, [player_id])).rowCount, table).toBe(0);
});

describe('P8: a look-up does not undo a withdrawal that is being written', () => {
  test('one that was requested before the click', async () => {
    const sync = await setupWrites(pool);
    const clicked = Promise.withResolvers<void>();
    sync.operator.dials.set('userconsents', { hold: clicked.promise });
    sync.operator.dials.set('userconsents_write', {
      faults: [{ fault: 'status', status: 500, when: 'before_effect' }],
    });
    await sync.refresh(sync.player_id, ['consents']);
    const asks = () => sync.operator.calls.list().filter(({ endpoint }) => endpoint === 'userconsents');
    await expect.poll(() => asks().length, pollOptions).toBe(2);
    await change(sync, out('Email'));
    expect(await consent(sync)).toMatchObject({ opted_in: false });
    clicked.resolve();
    await sync.until(sync.player_id, isCurrent);
    expect(await consent(sync)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
    expect((await untilState(sync, 'pending')).said).toBe(true);
  });

  test('one that runs at any time around the click', async () => {
    const sync = await setupWrites(pool);
    sync.operator.dials.set('userconsents', { delay_ms: { from: 0, to: 40 } });
    sync.operator.dials.set('userconsents_write', {
      faults: [{ fault: 'status', status: 400, when: 'before_effect' }],
    });
    const clicks = Array.from({ length: 40 }, async (_, n) => {
      const player_id = await sync.addPlayer(`q-${n}`);
      sync.operator.books.change(`q-${n}`, { consents: [{ type: 'Email', opted_in: true }] });
      const player = { ...sync, player_id };
      await sync.refresh(player_id);
      await new Promise((resolve) => setTimeout(resolve, n));
      await change(player, out('Email'));
      await sync.refresh(player_id, ['consents']);
      await sync.until(player_id, isCurrent);
      expect(await consent(player)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
    });
    await Promise.all(clicks);
  });

  test('one that is requested, however often, while the operator cannot store the withdrawal', async () => {
    const sync = await setupWrites(pool);
    sync.operator.dials.set('userconsents_write', {
      faults: [{ fault: 'status', status: 400, when: 'before_effect' }],
    });
    await change(sync, out('Email'));
    await sync.until(sync.player_id, isCurrent);
    for (let n = 0; n < 3; n++) {
      await sync.refresh(sync.player_id, ['consents']);
      await sync.until(sync.player_id, isCurrent);
      expect(await consent(sync)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
    }
    // Retries are slow, listed, and never given up.
    const item = await untilState(sync, 'pending');
    expect(item).toMatchObject({ failure: 'rejected', attempts: 1, said: true });
    expect(Number(item.due_at) - systemClock()).toBeGreaterThan(50 * 60_000_000);
    expect(await countWriteBacks(pool, sync.brand.brand_id)).toMatchObject({ waiting: 1, failing: 1, contradicted: 0 });
    expect(await listOpenWriteBacks(pool, sync.brand.brand_id, { list: 'failing', limit: 10 })).toHaveLength(1);

    sync.operator.dials.clear();
    await hurry(sync);
    await untilState(sync, 'confirmed');
  });

  test('once the withdrawal is confirmed, the operator decides again, and the player can opt in there', async () => {
    const sync = await setupWrites(pool);
    await change(sync, out('Email'));
    await untilState(sync, 'confirmed');
    sync.operator.books.change('p-1', { consents: [{ type: 'Email', opted_in: true }] });
    await sync.refresh(sync.player_id, ['consents']);
    await sync.until(sync.player_id, (player) =>
      player.consents.some((one) => one.type === 'Email' && one.opted_in === true),
    );
  });
});

test('an operator that answers 200 and stores nothing: the withdrawal is written again up to the limit, then a person must act', async () => {
  const sync = await setupWrites(pool);
  const lie = { fault: 'error_body', body: { status: 'ok' }, when: 'before_effect' } as const;
  sync.operator.dials.set('userconsents_write', { faults: [lie] });
  await change(sync, out('Email'));
  for (let rewrites = 1; rewrites <= maxRewrites; rewrites++) {
    await expect.poll(async () => (await untilState(sync, 'pending')).rewrites, pollOptions).toBe(rewrites);
    await hurry(sync);
  }
  expect(await untilState(sync, 'contradicted')).toMatchObject({ said: true, rewrites: maxRewrites });
  expect(writesOf(sync)).toHaveLength(1 + maxRewrites);
  expect(await consent(sync)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
  expect(await countWriteBacks(pool, sync.brand.brand_id)).toMatchObject({ contradicted: 1, waiting: 0 });

  // The item stays contradicted until a person corrects the consent at the operator.
  await sync.refresh(sync.player_id, ['consents']);
  await sync.until(sync.player_id, isCurrent);
  expect(await consent(sync)).toMatchObject({ opted_in: false });
  sync.operator.books.change('p-1', { consents: [out('Email')] });
  await sync.refresh(sync.player_id, ['consents']);
  await untilState(sync, 'confirmed');
});

test('an opt-in that timed out and takes effect after the following withdrawal does not undo it', async () => {
  const sync = await setupWrites(pool);
  await change(sync, out('Email'));
  await untilState(sync, 'confirmed');
  sync.operator.dials.set('userconsents_write', { faults: [{ fault: 'timeout', when: 'before_effect' }] });
  await change(sync, { type: 'Email', opted_in: true });
  await expect.poll(async () => (await untilState(sync, 'pending')).failure, pollOptions).toBe('timeout');
  sync.operator.dials.clear();
  await change(sync, out('Email'));
  // It is stored and confirmed by a look-up, and still not settled.
  await expect.poll(async () => (await untilState(sync, 'stored')).said, pollOptions).toBe(false);

  sync.operator.books.change('p-1', { consents: [{ type: 'Email', opted_in: true }] });
  await sync.refresh(sync.player_id, ['consents']);
  await expect.poll(async () => (await untilState(sync, 'pending')).rewrites, pollOptions).toBe(1);
  expect(await consent(sync)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
  await hurry(sync);
  await expect.poll(async () => (await untilState(sync, 'stored')).said, pollOptions).toBe(false);
  expect(sync.operator.books.player('p-1')?.consents).toContainEqual(out('Email'));

  // A day later no late write can take effect any more: the player opts in at the operator.
  await pool.query("update write_back_item set late_until = now() - interval '1 second' where player_id = $1", [
    sync.player_id,
  ]);
  sync.operator.books.change('p-1', { consents: [{ type: 'Email', opted_in: true }] });
  await sync.refresh(sync.player_id, ['consents']);
  await untilState(sync, 'overruled');
  expect(await consent(sync)).toMatchObject({ opted_in: true, source: 'look_up' });
});

test('an undo is written, too; a later withdrawal at the operator takes precedence', async () => {
  const sync = await setupWrites(pool);
  await change(sync, out('Email'));
  await untilState(sync, 'confirmed');
  const lie = { fault: 'error_body', body: {}, when: 'before_effect' } as const;
  sync.operator.dials.set('userconsents_write', { faults: [lie] });
  await change(sync, { type: 'Email', opted_in: true });
  expect(await consent(sync)).toMatchObject({ opted_in: true });
  await untilState(sync, 'overruled');
  expect(await consent(sync)).toMatchObject({ opted_in: false, source: 'look_up' });
});

test('a later change supersedes one that is being written, and is sent after it', async () => {
  const sync = await setupWrites(pool);
  const superseded = Promise.withResolvers<void>();
  sync.operator.dials.set('userconsents_write', { hold: superseded.promise });
  await change(sync, out('Email'));
  await expect.poll(() => writesOf(sync).length, pollOptions).toBe(1);
  await change(sync, { type: 'Email', opted_in: true });
  superseded.resolve();
  await untilState(sync, 'confirmed');
  const bodies = sync.operator.books.writeBacks.map(({ body }) => body);
  expect(bodies).toEqual([{ consents: [out('Email')] }, { consents: [{ type: 'Email', opted_in: true }] }]);
  const states = (await listPlayerWriteBacks(pool, sync.player_id, { limit: 5 })).map(({ state }) => state);
  expect(states).toEqual(['confirmed', 'superseded']);
});
