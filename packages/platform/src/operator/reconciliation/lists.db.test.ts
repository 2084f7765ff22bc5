import { describe, expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import {
  type ReconciliationSetup,
  setupReconciliation,
} from '../../../testing/operator/reconciliation/setup-reconciliation.ts';
import { systemClock } from '../../clock.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { changeConsents, lockConsents } from '../writeback/index.ts';
import { readReconciliationAges } from './ages.ts';
import { readDrift } from './run/drift-store.ts';
import { cancelRun, decideHeld } from './run/request-store.ts';

/** What a list does to stored facts (docs/reference/decisions.md 4), with the records of the sandbox operator. */
const { pool } = await setupDatabase();

const transitionsOf = async (playerId: number) => {
  const { rows } = await pool.query<{ kind: string; consent_type: string | null; source: string }>(
    'select kind, consent_type, source from protection_transition where player_id = $1 order by transition_id',
    [playerId],
  );
  return rows;
};
const stages = async () => {
  const { rows } = await pool.query(`select relname from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname = 'reconciliation_stage' and relkind = 'r'`);
  return rows;
};

/**
 * Players who are opted in on both sides, so that one withdrawal concerns less than a fifth of all players who are
 * opted in.
 */
async function others({ books }: ReconciliationSetup['operator'], player: ReconciliationSetup['player']) {
  for (let n = 0; n < 5; n++) {
    books.addPlayer(`other-${n}`, { consents: [{ type: 'Email', opted_in: true }] });
    await player(`other-${n}`, { consents: ['Email'] });
  }
}

describe('a list restricts contact immediately', () => {
  test('a player listed as excluded is excluded, and the change is published', async () => {
    const { operator, player, reconcile, block, asked } = await setupReconciliation(pool);
    operator.books.addPlayer('ann', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
    const ann = await player('ann');
    const run = await reconcile('excluded');
    expect(run).toMatchObject({ state: 'done', ids: 1, compared: 1, tightened: 1, to_look_up: 0, created: 0 });
    expect(await block(ann, 'Excluded')).toEqual({ active: true, source: 'reconciliation', as_of: run.as_of });
    expect(await transitionsOf(ann)).toMatchObject([{ kind: 'excluded', source: 'reconciliation' }]);
    expect(await readDrift(pool, run.reconciliation_id, { limit: 10 })).toMatchObject([
      { user_id: 'ann', we_say: false, they_say: true, done: 'tightened', since: expect.any(Number) },
    ]);
    expect(await asked(ann)).toEqual([]);
    expect(await stages()).toEqual([]);
  });

  test('a consent that the list does not contain is withdrawn, for its type only', async () => {
    const { operator, player, reconcile, consent } = await setupReconciliation(pool);
    await others(operator, player);
    operator.books.addPlayer('bob', { consents: [{ type: 'Email', opted_in: true }] });
    operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: false }] });
    const [ann, bob] = [
      await player('ann', { consents: ['Email', 'SMS'] }),
      await player('bob', { consents: ['Email'] }),
    ];
    const run = await reconcile('consent_email');
    expect(run).toMatchObject({ state: 'done', tightened: 1 });
    expect(await consent(ann)).toEqual({ opted_in: false, source: 'reconciliation', as_of: run.as_of });
    expect(await consent(ann, 'SMS')).toMatchObject({ opted_in: true });
    expect(await consent(bob)).toMatchObject({ opted_in: true, source: 'look_up' });
    expect(await transitionsOf(ann)).toMatchObject([{ kind: 'consent_withdrawn', consent_type: 'Email' }]);
  });

  test('a list and a concurrent change made in the platform do not deadlock', async () => {
    const { reconciler, operator, player, consent, request, run, walk, brand } = await setupReconciliation(pool);
    await others(operator, player);
    const player_id = await player('p-1', { consents: ['Email'] });
    await player('p-2', { consents: ['Email'] });
    const own = { brand_id: brand.brand_id, player_id };
    operator.books.addPlayer('p-1', { consents: [{ type: 'Email', opted_in: false }] });
    operator.books.addPlayer('p-2', { consents: [{ type: 'Email', opted_in: true }] });
    const id = await request('consent_email');
    await reconciler.readOnce();
    let walked: Promise<unknown> = Promise.resolve();
    await transaction(pool, async (tx) => {
      await lockConsents(tx, own);
      walked = reconciler.walkOnce();
      // Wait until the comparison waits for a lock, or is over.
      await expect.poll(() => isWaitingOrOver(id), { interval: 5 }).toBe(true);
      await changeConsents(tx, {
        ...own,
        changes: [{ type: 'Email', opted_in: false }],
        source: 'unsubscribe',
        at: systemClock(),
      });
    });
    await walked;
    await walk();
    expect(await run(id)).toMatchObject({ state: 'done', tightened: 0 });
    expect(await consent(player_id)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
  });

  async function isWaitingOrOver(id: number): Promise<boolean> {
    const { rows } = await pool.query<{ waiting: boolean; state: string }>(
      `select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waiting,
              state from reconciliation where reconciliation_id = $1`,
      [id],
    );
    return rows[0]?.waiting === true || rows[0]?.state !== 'comparing';
  }

  test('an open look-up that was requested earlier loses its claim and is made again', async () => {
    const { operator, player, reconcile } = await setupReconciliation(pool);
    operator.books.addPlayer('ann', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
    const ann = await player('ann');
    await pool.query(
      `update player_sync set requested = 2, claim = 7, due_at = now() + interval '10 s' where player_id = $1 and look_up = 'blocks'`,
      [ann],
    );
    await reconcile('blocked');
    const { rows } = await pool.query(
      `select claim, due_at <= now() as due from player_sync where player_id = $1 and look_up = 'blocks'`,
      [ann],
    );
    expect(rows).toEqual([{ claim: null, due: true }]);
  });
});

describe('a list never allows more contact: a look-up decides', () => {
  test('a player missing from blocked stays blocked', async () => {
    const { operator, player, reconcile, block, asked } = await setupReconciliation(pool);
    operator.books.addPlayer('zoe', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
    operator.books.addPlayer('ann');
    await player('zoe', { blocks: ['Blocked'] });
    const ann = await player('ann', { blocks: ['Blocked'] });
    const flagged = await player('flagged', { flags: { is_blocked: true } });
    operator.books.addPlayer('flagged');
    expect(await reconcile('blocked')).toMatchObject({ state: 'done', tightened: 0, to_look_up: 2, looked_up: 2 });
    expect(await block(ann, 'Blocked')).toMatchObject({ active: true, source: 'look_up' });
    expect(await asked(ann)).toEqual(['blocks', 'details']);
    expect(await asked(flagged)).toEqual(['blocks', 'details']);
    expect(await transitionsOf(ann)).toMatchObject([{ kind: 'blocked', source: 'look_up' }]);
  });

  test('a consent that is withdrawn or unknown in the platform, but listed, is looked up', async () => {
    const { operator, player, reconcile, consent, asked } = await setupReconciliation(pool);
    for (const name of ['ann', 'new']) operator.books.addPlayer(name, { consents: [{ type: 'SMS', opted_in: true }] });
    const [ann, fresh] = [await player('ann'), await player('new', { as_of: null })];
    const run = await reconcile('consent_sms');
    expect(run).toMatchObject({ state: 'done', tightened: 0, to_look_up: 2, looked_up: 2 });
    expect(await consent(ann, 'SMS')).toMatchObject({ opted_in: false, source: 'look_up' });
    expect(await consent(fresh, 'SMS')).toBeUndefined();
    expect([await asked(ann), await asked(fresh)]).toEqual([['consents'], ['consents']]);
    const drift = await readDrift(pool, run.reconciliation_id, { limit: 10 });
    expect(drift).toMatchObject([
      { user_id: 'ann', we_say: false, they_say: true, done: 'look_up' },
      { user_id: 'new', we_say: null, they_say: true, since: null, done: 'look_up' },
    ]);
  });

  test('active is compared and reported, and has no effect', async () => {
    const { operator, player, reconcile, block, asked } = await setupReconciliation(pool);
    operator.books.addPlayer('ann');
    operator.books.addPlayer('bob', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
    const [ann, bob] = [await player('ann', { blocks: ['Blocked'] }), await player('bob')];
    const run = await reconcile('active');
    expect(run).toMatchObject({ state: 'done', reported: 2, tightened: 0, to_look_up: 0 });
    expect(await block(bob, 'Blocked')).toMatchObject({ active: false });
    expect([await asked(ann), await asked(bob)]).toEqual([[], []]);
    expect(await readDrift(pool, run.reconciliation_id, { limit: 10 })).toMatchObject([
      { user_id: 'ann', we_say: false, they_say: true, done: 'reported' },
      { user_id: 'bob', we_say: true, they_say: false, done: 'reported' },
    ]);
  });
});

describe('nothing newer than the result is changed', () => {
  test('a player excluded after its timestamp stays excluded, and one unblocked after it stays unblocked', async () => {
    const old = Date.now() - 600_000;
    const { operator, player, reconcile, block, asked, consent } = await setupReconciliation(pool, {
      operator: { now: () => old },
    });
    operator.books.addPlayer('listed', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
    const since = systemClock() - 60_000_000;
    const ann = await player('ann', { blocks: ['Excluded'], as_of: since });
    const listed = await player('listed', { as_of: since });
    expect(await reconcile('excluded')).toMatchObject({ state: 'done', newer: 2, tightened: 0, to_look_up: 0 });
    expect(await block(ann, 'Excluded')).toMatchObject({ active: true, as_of: since });
    expect(await block(listed, 'Excluded')).toMatchObject({ active: false, as_of: since });
    const bob = await player('bob', { consents: ['Email'], as_of: since });
    operator.books.addPlayer('other', { consents: [{ type: 'Email', opted_in: true }] });
    expect(await reconcile('consent_email')).toMatchObject({ newer: 1, tightened: 0 });
    expect(await consent(bob)).toMatchObject({ opted_in: true });
    expect(await asked(ann)).toEqual([]);
  });

  test('a change made in the platform that the operator has not confirmed is not changed, however old it is', async () => {
    const { operator, player, reconcile, consent, asked } = await setupReconciliation(pool);
    operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: true }] });
    const ann = await player('ann');
    await pool.query(
      `update player_consent set unconfirmed = true, source = 'unsubscribe' where player_id = $1 and type = 'Email'`,
      [ann],
    );
    expect(await reconcile('consent_email')).toMatchObject({ state: 'done', newer: 1, to_look_up: 0 });
    expect(await consent(ann)).toMatchObject({ opted_in: false, source: 'unsubscribe' });
    expect(await asked(ann)).toEqual([]);
  });
});

describe("lists that need a person's approval", () => {
  test('an empty blocked list unblocks no player: it is held, and after approval it requests look-ups', async () => {
    const { brand, operator, player, reconcile, block, asked, walk, run } = await setupReconciliation(pool);
    operator.books.addPlayer('ann');
    const ann = await player('ann', { blocks: ['Blocked'] });
    const held = await reconcile('blocked');
    expect(held).toMatchObject({ state: 'held', reason: 'empty', ids: 0, compared: 0, applied_at: null });
    expect(await asked(ann)).toEqual([]);
    expect(await decideHeld(pool, brand.brand_id, held.reconciliation_id, 'approve', systemClock())).toBe('decided');
    await walk();
    expect(await run(held.reconciliation_id)).toMatchObject({ state: 'done', to_look_up: 1 });
    expect(await block(ann, 'Blocked')).toMatchObject({ active: true });
    // After an approval, the same list is not held again.
    expect(await reconcile('blocked')).toMatchObject({ state: 'done', ids: 0 });
  });

  test('a list that is 20 % shorter is held, can be refused, and replaces an older held list', async () => {
    const { brand, operator, player, reconcile, consent, run } = await setupReconciliation(pool);
    const names = Array.from({ length: 10 }, (_, i) => `p${i}`);
    for (const name of names) operator.books.addPlayer(name, { consents: [{ type: 'Email', opted_in: true }] });
    const ids = await Promise.all(names.map((name) => player(name, { consents: ['Email'] })));
    expect(await reconcile('consent_email')).toMatchObject({ state: 'done', ids: 10, tightened: 0 });
    for (const name of ['p0', 'p1']) operator.books.change(name, { consents: [{ type: 'Email', opted_in: false }] });
    const first = await reconcile('consent_email');
    expect(first).toMatchObject({ state: 'held', reason: 'shorter', ids: 8, ids_before: 10 });
    expect(await consent(ids[0] ?? 0)).toMatchObject({ opted_in: true });
    const second = await reconcile('consent_email');
    expect(second).toMatchObject({ state: 'held' });
    expect(await run(first.reconciliation_id)).toMatchObject({ state: 'superseded' });
    expect(await decideHeld(pool, brand.brand_id, first.reconciliation_id, 'approve', systemClock())).toBe('not_held');
    await decideHeld(pool, brand.brand_id, second.reconciliation_id, 'reject', systemClock());
    expect(await run(second.reconciliation_id)).toMatchObject({ state: 'rejected' });
    operator.books.change('p0', { consents: [{ type: 'Email', opted_in: true }] });
    expect(await reconcile('consent_email')).toMatchObject({ state: 'done', ids: 9, tightened: 1 });
    expect(await consent(ids[1] ?? 0)).toMatchObject({ opted_in: false });
  });
});

test('the first consent list is held if it would withdraw more than a fifth of the players opted in', async () => {
  const { brand, operator, player, reconcile, consent, walk, run } = await setupReconciliation(pool);
  const names = Array.from({ length: 10 }, (_, i) => `p${i}`);
  const ids = await Promise.all(names.map((name) => player(name, { consents: ['Email', 'SMS'] })));
  // The answer was cut short: it lacks three of the ten, although it ends correctly.
  for (const name of names)
    operator.books.addPlayer(name, {
      consents: [
        { type: 'Email', opted_in: name > 'p2' },
        { type: 'SMS', opted_in: name > 'p1' },
      ],
    });
  const held = await reconcile('consent_email');
  expect(held).toMatchObject({ state: 'held', reason: 'first_withdraws', ids: 7, ids_before: null, tightened: 0 });
  expect(await consent(ids[0] ?? 0)).toMatchObject({ opted_in: true });
  await decideHeld(pool, brand.brand_id, held.reconciliation_id, 'approve', systemClock());
  await walk();
  expect(await run(held.reconciliation_id)).toMatchObject({ state: 'done', tightened: 3 });
  // A list that lacks no more than a fifth of them is applied immediately.
  expect(await reconcile('consent_sms')).toMatchObject({ state: 'done', tightened: 2 });
});

test('a later consent list that is always cut at the same length is held once the platform knows more players', async () => {
  const { operator, player, reconcile, consent } = await setupReconciliation(pool);
  for (const name of ['a0', 'a1']) {
    operator.books.addPlayer(name, { consents: [{ type: 'Email', opted_in: true }] });
    await player(name, { consents: ['Email'] });
  }
  expect(await reconcile('consent_email')).toMatchObject({ state: 'done', ids: 2, tightened: 0 });
  // Eleven more players opted in, whom the operator's lists never reach.
  const names = Array.from({ length: 11 }, (_, i) => `b${i}`);
  const ids = await Promise.all(names.map((name) => player(name, { consents: ['Email'] })));
  for (const name of names) operator.books.addPlayer(name, { consents: [{ type: 'Email', opted_in: false }] });
  expect(await reconcile('consent_email')).toMatchObject({ state: 'held', reason: 'withdraws', ids: 2, tightened: 0 });
  for (const id of ids) expect(await consent(id)).toMatchObject({ opted_in: true });
});

test('an unknown id creates the player, requests its look-ups, and restricts contact', async () => {
  const { brand, operator, reconcile, block, asked } = await setupReconciliation(pool);
  operator.books.addPlayer('stranger', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  const run = await reconcile('excluded');
  expect(run).toMatchObject({ state: 'done', created: 1, tightened: 0 });
  const { rows } = await pool.query('select player_id from player where brand_id = $1', [brand.brand_id]);
  expect(rows).toHaveLength(1);
  const { player_id } = rows[0];
  expect(await block(player_id, 'Excluded')).toMatchObject({ active: true, source: 'reconciliation' });
  expect(await asked(player_id)).toEqual(['blocks', 'consents', 'details']);
  expect(await transitionsOf(player_id)).toMatchObject([{ kind: 'excluded' }]);
});

test('a complete result renews the age of its field only', async () => {
  const { brand, operator, player, reconcile, dial } = await setupReconciliation(pool);
  operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: true }] });
  await player('ann', { consents: ['Email'] });
  dial({ fault: 'error_in_stream', after: 1, times: 1 });
  await reconcile('consent_email');
  expect(await readReconciliationAges(pool, [brand.brand_id])).toEqual([]);
  const { as_of } = await reconcile('consent_email');
  expect(await readReconciliationAges(pool, [brand.brand_id])).toEqual([
    { brand_id: brand.brand_id, field: 'consent_email', as_of },
  ]);
});

test('thousands of corrections go in batches, and after a crash of the worker the run continues at its position', async () => {
  const { brand, operator, request, reconciler, run, walk } = await setupReconciliation(pool);
  operator.books.addPlayer('only', { consents: [{ type: 'Email', opted_in: true }] });
  await pool.query(
    `with made as (insert into player (brand_id, user_id, bucket) select $1, 'x' || n, 0 from generate_series(1, 2500) n returning player_id)
     insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select player_id, 'email', 'Email', 'Email', true, 'look_up', $2 from made`,
    [brand.brand_id, timestamptzText(systemClock() - 3_600_000_000)],
  );
  const id = await request('consent_email');
  await reconciler.readOnce();
  await decideHeld(pool, brand.brand_id, id, 'approve', systemClock());
  await reconciler.walkOnce();
  expect(await run(id)).toMatchObject({ state: 'comparing', tightened: 1_000, compared: 1_000 });
  // The disk is full in the middle of the next batch. The batch leaves nothing.
  await pool.query(
    `create function full_disk() returns trigger language plpgsql as
       $$ begin if (new.player_id >> 6) % 1000 = 7 then raise 'no space left' using errcode = '53100'; end if; return new; end $$`,
  );
  await pool.query(
    'create trigger full_disk before insert on reconciliation_drift for each row execute function full_disk()',
  );
  await expect(reconciler.walkOnce()).rejects.toThrow('no space left');
  await pool.query('drop trigger full_disk on reconciliation_drift');
  expect(await run(id)).toMatchObject({ state: 'comparing', tightened: 1_000 });
  await walk();
  expect(await run(id)).toMatchObject({ state: 'done', tightened: 2_500, compared: 2_500, created: 1 });
  const { rows } = await pool.query(
    `select count(*)::int as withdrawn from player_consent join player using (player_id) where brand_id = $1 and not opted_in`,
    [brand.brand_id],
  );
  expect(rows).toEqual([{ withdrawn: 2_500 }]);
});

test('a batch that the database refuses permanently ends the run, and delays no other', async () => {
  const { brand, operator, player, request, reconciler, run, walk } = await setupReconciliation(pool);
  operator.books.addPlayer('ann', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
  await player('ann');
  const [refused, other] = [await request('blocked'), await request('active')];
  await reconciler.readOnce();
  await pool.query(
    `alter table reconciliation_drift add constraint refused check (reconciliation_id <> ${refused}) not valid`,
  );
  onTestFinished(async () => {
    await pool.query('alter table reconciliation_drift drop constraint refused');
  });
  await walk();
  expect(await run(refused)).toMatchObject({ state: 'failed', reason: 'unstorable', tightened: 0 });
  expect(await reconciler.readOnce()).toBe('held');
  expect(await run(other)).toMatchObject({ brand_id: brand.brand_id, reason: 'empty' });
});

test('a list that the database lost is not compared', async () => {
  const { operator, player, request, reconciler, run, walk, consent } = await setupReconciliation(pool);
  operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: true }] });
  const ann = await player('ann', { consents: ['Email'] });
  const id = await request('consent_email');
  await reconciler.readOnce();
  // The effect of a crash of PostgreSQL on an unlogged table.
  await pool.query(`truncate reconciliation_stage.run_${id}`);
  await walk();
  expect(await run(id)).toMatchObject({ state: 'failed', reason: 'stage_lost', tightened: 0 });
  expect(await consent(ann)).toMatchObject({ opted_in: true });
});

test('a run can be cancelled while it is compared', async () => {
  const { brand, operator, request, reconciler, run, walk } = await setupReconciliation(pool);
  operator.books.addPlayer('ann', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
  const id = await request('blocked');
  await reconciler.readOnce();
  expect(await cancelRun(pool, brand.brand_id, id, systemClock())).toBe(true);
  await walk();
  expect(await run(id)).toMatchObject({ state: 'cancelled', compared: 0 });
  expect(await cancelRun(pool, brand.brand_id, id, systemClock())).toBe(false);
  expect((await reconciler.upkeepOnce()).stages).toBeGreaterThan(0);
  expect(await stages()).not.toContainEqual({ relname: `run_${id}` });
});
