import { afterEach, describe, expect, test } from 'vitest';
import { setupStage } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { eraserOf, fillTables, traces } from '../../testing/privacy/setup-privacy.ts';
import { swapLock } from '../derive/apply/batch.ts';
import { claimErasures } from './erasure-store.ts';
import { cancelErasure, Eraser, readErasures, requestErasure } from './index.ts';

const stage = await setupStage();
const { pool, clock, brand, brands } = stage;
const eraser = eraserOf(stage);
const { brand_id } = brand;
const second = 1_000_000;
const pollOptions = { interval: 10 };

async function ask(name: string, forced = false) {
  const who = traces(name);
  const { rows } = await pool.query<{ player_id: number }>(
    `insert into player (brand_id, user_id, bucket) values ($1, $2, 0)
     on conflict (brand_id, user_id) do update set bucket = 0 returning player_id`,
    [brand_id, who.user_id],
  );
  const player_id = rows[0]?.player_id ?? 0;
  const { erasure_id } = await requestErasure(pool, brands, {
    brand_id,
    player_id,
    user_id: who.user_id,
    forced,
    at: clock.now(),
  });
  return { who, player_id, erasure_id };
}

const running = new Set<() => Promise<void>>();

/** A slow batch of derive: no other transaction can lock live state exclusively until it ends. */
async function longBatch() {
  const batch = await pool.connect();
  await batch.query(`begin; select pg_advisory_xact_lock_shared(${swapLock})`);
  const end = async () => {
    if (!running.delete(end)) return;
    await batch.query('commit');
    batch.release();
  };
  running.add(end);
  return {
    end,
    /** Whether a transaction waits for the exclusive lock, so that all other batches wait behind it. */
    async waitedFor(): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and mode = 'ExclusiveLock' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
        [swapLock],
      );
      return rowCount === 1;
    },
  };
}

const userId = async (playerId: number) =>
  (await pool.query('select user_id from player where player_id = $1', [playerId])).rows[0]?.user_id;

const latest = async () => (await readErasures(pool, brand_id, { limit: 1 }))[0];

afterEach(async () => {
  for (const end of running) await end();
  await pool.query('delete from erasure');
});

test('an erasure that is cancelled while it waits for the exclusive lock erases nothing', async () => {
  const { who, player_id, erasure_id } = await ask('ann');
  const batch = await longBatch();
  const round = eraser.runOnce();
  await expect.poll(batch.waitedFor, pollOptions).toBe(true);
  expect(await cancelErasure(pool, brand_id, erasure_id, clock.now())).toMatchObject({ step: 'cancelled' });
  await batch.end();
  expect(await round).toMatchObject({ steps: 0, held: 0 });
  expect(await userId(player_id)).toBe(who.user_id);
  expect((await pool.query('select from erased_user')).rowCount).toBe(0);
  expect(await latest()).toMatchObject({ step: 'cancelled', closed_at: null });
});

test('an erasure without a user_id erases no player, regardless of the rest of its row', async () => {
  const { erasure_id } = await ask('bea');
  await pool.query('update erasure set user_id = null where erasure_id = $1', [erasure_id]);
  expect(await claimErasures(pool, clock.now(), clock.now() + second)).toEqual([]);
});

describe('an erasure that is held', () => {
  test('blocks nothing, and is checked less and less often; a new request checks immediately', async () => {
    const { who, player_id } = await ask('cora');
    await fillTables(pool, brand_id, player_id, who);
    await pool.query(`update bonus_intent set state = 'unknown' where player_id = $1 and bonus_code = 'RELOAD'`, [
      player_id,
    ]);
    const batch = await longBatch();
    for (const [tries, wait] of [10, 60, 600, 600].entries()) {
      expect(await eraser.runOnce()).toMatchObject({ steps: 0, held: 1 });
      expect(await latest()).toMatchObject({
        tries: tries + 1,
        held_because: { en: expect.stringContaining('intents') },
      });
      clock.advance((wait - 1) * second);
      expect(await eraser.runOnce(), `asked again after ${wait} s`).toMatchObject({ held: 0 });
      clock.advance(second);
    }
    await eraser.runOnce();
    await batch.end();
    await ask('cora', true);
    expect(await eraser.runOnce()).toMatchObject({ held: 0 });
    expect(await latest()).toMatchObject({ step: 'settling', forced: true, tries: 0 });
  });

  test('because a step failed gives the reason without quoting a row, and the number of tries', async () => {
    const { who, player_id, erasure_id } = await ask('dora');
    await pool.query(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'not %', old.user_id; end $$;
      create trigger refuse before update on player for each row execute function refuse()`);
    await eraser.runOnce();
    clock.advance(30 * second);
    await eraser.runOnce();
    await pool.query('drop trigger refuse on player');
    const held_because = { en: 'the step failed: the database refused a statement (SQLSTATE P0001)' };
    expect(await latest()).toMatchObject({ erasure_id, step: 'waiting', held_because, tries: 2 });
    expect(await userId(player_id)).toBe(who.user_id);
  });
});

describe('a claim', () => {
  test('is renewed while the step runs, and no other worker begins it', async () => {
    const { player_id } = await ask('eva');
    const slow = new Eraser({ pool, ledger: stage.ledger, brands, clock: clock.now, log: testLog, renewMs: 5 });
    const batch = await longBatch();
    const round = slow.runOnce();
    await expect.poll(batch.waitedFor, pollOptions).toBe(true);
    for (let n = 0; n < 3; n++) {
      clock.advance(590 * second);
      const due = async () => {
        const { rows } = await pool.query('select due_at from erasure where player_id = $1', [player_id]);
        return rows[0]?.due_at;
      };
      await expect.poll(due, pollOptions).toBe(clock.now() + 600 * second);
    }
    expect(await claimErasures(pool, clock.now(), clock.now() + second)).toEqual([]);
    await batch.end();
    expect(await round).toMatchObject({ steps: 3, held: 0 });
    expect(await latest()).toMatchObject({ step: 'settling' });
  });

  test('that was lost is not used to write: another worker has it', async () => {
    const { erasure_id } = await ask('flo');
    const batch = await longBatch();
    const round = eraser.runOnce();
    await expect.poll(batch.waitedFor, pollOptions).toBe(true);
    clock.advance(601 * second);
    const [other] = await claimErasures(pool, clock.now(), clock.now() + 600 * second);
    expect(other).toMatchObject({ erasure_id });
    await batch.end();
    expect(await round).toMatchObject({ steps: 0, held: 0 });
    expect(await latest()).toMatchObject({ step: 'waiting', closed_at: null });
  });
});

test('all erasures at the vacuum share one', async () => {
  for (const name of ['gil', 'hal', 'ida']) await ask(name);
  await pool.query(`update erasure set step = 'vacuum', closed_at = requested_at`);
  const vacuums = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select vacuum_count as count from pg_stat_user_tables where relname = 'player_profile'`,
    );
    return Number(rows[0]?.count);
  };
  const before = await vacuums();
  expect(await eraser.runOnce()).toMatchObject({ steps: 3 });
  expect((await readErasures(pool, brand_id, { limit: 3 })).map(({ step }) => step)).toEqual(['done', 'done', 'done']);
  expect((await vacuums()) - before).toBe(1);
});
