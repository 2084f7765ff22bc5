import type { PlatformEvent } from '@croupier/contracts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { medianOf } from '../../../testing/median-of.ts';
import { isCurrent, type SyncSetup, setupSync } from '../../../testing/operator/setup-sync.ts';
import { fewestWritesOf } from '../../../testing/writes-of.ts';
import { transaction } from '../../database/index.ts';
import { RefreshConsumer } from '../players/sync/refresh-consumer.ts';
import { noteProtection } from './note-protection.ts';
import type { ProtectionTransition } from './transition.ts';
import { type FollowerOptions, TransitionFollower } from './transition-follower.ts';

const { pool } = await setupDatabase();

async function transitionsOf(playerId: number): Promise<string[]> {
  const { rows } = await pool.query<ProtectionTransition>(
    'select kind, consent_type from protection_transition where player_id = $1 order by transition_id',
    [playerId],
  );
  return rows.map(({ kind, consent_type }) => (consent_type === null ? kind : `${kind} ${consent_type}`));
}

const delivered = async () =>
  (await pool.query(`select from protection_delivery where follower = 'actions'`)).rowCount === 0;

function follow(handle: FollowerOptions['handle']): TransitionFollower {
  const follower = new TransitionFollower({ pool, log: testLog, follower: 'actions', handle, pollMs: 250 });
  onTestFinished(() => follower.stop());
  return follower;
}

/** Sends an update event of a player through derive. */
async function publishUpdate(
  { brand, worker }: SyncSetup,
  playerId: number,
  kind: 'blocks_update' | 'consents_update',
) {
  const consumer = new RefreshConsumer({ brands: { byId: () => brand }, wake: worker.scheduler.wake });
  const event = { kind, user_id: 'any', timestamp: noon } as unknown as PlatformEvent;
  const applied = { player_id: playerId, brand_id: brand.brand_id, event, received_at: noon, verdict: 'applied' };
  await transaction(pool, (tx) =>
    consumer.onBatch(tx, { applied: [applied] } as unknown as Parameters<typeof consumer.onBatch>[1]),
  );
  consumer.onCommitted();
}

const excluded = (active: boolean) => ({ type: 'Excluded', active, note: '' }) as const;

test('a follower without deliveries makes one statement', async () => {
  const follower = follow(async () => {});
  expect(await fewestWritesOf(() => follower.runOnce())).toBe(1);
});

test('a change has the time at which its update was received; without an update, it has the time of its look-up', async () => {
  const setup = await setupSync(pool);
  const nora = await setup.addPlayer('nora');
  await setup.refresh(nora);
  await setup.until(nora, isCurrent);
  const latest = async () => {
    const { rows } = await pool.query<{ at: number; received_at: number }>(
      'select at, received_at from protection_transition where player_id = $1 order by transition_id desc limit 1',
      [nora],
    );
    return rows[0];
  };
  setup.operator.books.change('nora', { blocks: [excluded(true)] });
  await publishUpdate(setup, nora, 'blocks_update');
  await setup.until(nora, isCurrent);
  expect(await latest()).toMatchObject({ received_at: noon });
  setup.operator.books.change('nora', { blocks: [excluded(false)] });
  await setup.refresh(nora, ['blocks']);
  await setup.until(nora, isCurrent);
  const { at, received_at } = (await latest()) as { at: number; received_at: number };
  expect(received_at).toBe(at);
});

describe('look-ups publish what they change', () => {
  test('the first look-up, an exclusion, its end and a withdrawn consent are published; values that stay the same are not', async () => {
    const setup = await setupSync(pool);
    const { operator } = setup;
    const ann = await setup.addPlayer('ann');
    await setup.refresh(ann);
    await setup.until(ann, isCurrent);
    expect(await transitionsOf(ann)).toEqual([]);

    operator.books.change('ann', { blocks: [excluded(true)] });
    await setup.refresh(ann, ['blocks']);
    await setup.until(ann, ({ blocks, sync }) => sync.state === 'current' && blocks[0]?.active === true);
    expect(await transitionsOf(ann)).toEqual(['excluded']);

    // A second source with the same value changes nothing.
    await setup.refresh(ann);
    await setup.until(ann, isCurrent);
    operator.books.change('ann', { blocks: [excluded(false)], consents: [{ type: 'SMS', opted_in: false }] });
    await setup.refresh(ann);
    await setup.until(ann, ({ blocks, consents, sync }) => {
      return sync.state === 'current' && blocks[0]?.active === false && consents[1]?.opted_in === false;
    });
    expect((await transitionsOf(ann)).toSorted()).toEqual(['consent_withdrawn SMS', 'excluded', 'exclusion_ended']);
  });

  test('an exclusion is handled within a second of its event', async () => {
    const setup = await setupSync(pool);
    const handled = new Map<number, (transition: ProtectionTransition) => void>();
    const follower = follow(async (_tx, transitions) => {
      for (const one of transitions) handled.get(one.player_id)?.(one);
    });
    await follower.start();
    const exclude = async (name: string) => {
      const player = await setup.addPlayer(name);
      await setup.refresh(player);
      await setup.until(player, isCurrent);
      const transition = new Promise<ProtectionTransition>((resolve) => handled.set(player, resolve));
      setup.operator.books.change(name, { blocks: [excluded(true)] });
      const began = performance.now();
      await publishUpdate(setup, player, 'blocks_update');
      expect(await transition).toMatchObject({ kind: 'excluded', source: 'look_up' });
      return performance.now() - began;
    };
    expect(await medianOf(5, (n) => exclude(`ben-${n}`))).toBeLessThan(1_000);
  });
});

test('until an update is answered, the known record is outdated', async () => {
  const setup = await setupSync(pool, { started: false });
  const carl = await setup.addPlayer('carl');
  const outdated = async () => {
    const { rows } = await pool.query('select look_up from player_sync where player_id = $1 and news > done', [carl]);
    return rows.map((row) => row.look_up);
  };
  await setup.refresh(carl);
  expect(await outdated()).toEqual([]);
  await publishUpdate(setup, carl, 'blocks_update');
  expect(await outdated()).toEqual(['blocks']);
  await setup.worker.start();
  await setup.until(carl, isCurrent);
  expect(await outdated()).toEqual([]);
});

test('two concurrent changes of one player publish every transition', async () => {
  const setup = await setupSync(pool, { started: false });
  const dora = await setup.addPlayer('dora');
  const note = { source: 'staff', at: noon } as const;
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     values ($1, 'email', 'Email', 'Email', false, 'look_up', now())`,
    [dora],
  );
  await transaction(pool, (tx) => noteProtection(tx, [dora], note));
  const change = (sql: string) =>
    transaction(pool, async (tx) => {
      await tx.query(sql, [dora]);
      await noteProtection(tx, [dora], note);
    });
  await Promise.all([
    change(`insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
            values ($1, 'excluded', 'Excluded', 'Excluded', true, 'staff', now())`),
    change(`update player_consent set opted_in = true where player_id = $1`),
  ]);
  expect((await transitionsOf(dora)).toSorted()).toEqual(['consent_given Email', 'excluded']);
});

describe('a follower', () => {
  async function exclude(...names: string[]): Promise<number[]> {
    await pool.query('delete from protection_delivery');
    const setup = await setupSync(pool, { started: false });
    const players = await Promise.all(names.map((name) => setup.addPlayer(name)));
    await pool.query(
      `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
       select id, 'excluded', 'Excluded', 'Excluded', true, 'staff', now() from unnest($1::bigint[]) id`,
      [players],
    );
    await transaction(pool, (tx) => noteProtection(tx, players, { source: 'staff', at: noon }));
    return players;
  }

  test('receives each transition once, in the transaction that deletes its delivery', async () => {
    const players = await exclude('eva', 'finn');
    const seen: number[] = [];
    const handle: FollowerOptions['handle'] = async (_tx, all) => void seen.push(...all.map((one) => one.player_id));
    const counts = await Promise.all([follow(handle).runOnce(), follow(handle).runOnce()]);
    expect(counts[0].handled + counts[1].handled).toBe(2);
    expect(seen.toSorted()).toEqual(players.toSorted());
    expect(await delivered()).toBe(true);
  });

  test('keeps a transition that it cannot handle, with the reason, and handles the others', async () => {
    const [eva, finn] = await exclude('eva', 'finn');
    const seen: number[] = [];
    const follower = follow(async (_tx, all) => {
      if (all.some(({ player_id }) => player_id === eva)) throw new Error('no idea');
      seen.push(...all.map(({ player_id }) => player_id));
    });
    expect(await follower.runOnce()).toEqual({ handled: 1, failed: 1 });
    expect(seen).toEqual([finn]);
    expect(
      (await pool.query(`select attempts, failure from protection_delivery where follower = 'actions'`)).rows,
    ).toEqual([{ attempts: 1, failure: 'no idea' }]);
    expect(await follower.runOnce()).toEqual({ handled: 0, failed: 0 });
  });
});
