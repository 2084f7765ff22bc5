import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { transaction } from '../../database/index.ts';
import { cancelComputation, publish as publishDraft, SegmentComputer, verifySegments } from './index.ts';

const stage = await setupSegments({ portionPlayers: 2 });
const { pool, brand, brands, rules, clock, publish, derive, follow, segment, draft, members, transitions, computer } =
  stage;
const by = () => ({ at: clock.now(), actor: 'a test' });
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const atLeast = (count: number) => rule({ field: 'trait.deposit_count', operator: '>=', value: count });

async function deposit(user_id: string, payment_id: string, timestamp = '2026-05-01T11:59:00Z') {
  await publish({ kind: 'payment', body: paymentBody({ user_id, payment_id, timestamp }) });
  await derive();
}

/** A pool whose connections break in the second portion of a computation. */
function dyingPool(): typeof pool {
  let connections = 0;
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return async () => {
        // The barrier and the first portion succeed. Everything after them fails.
        if (++connections > 2) throw Object.assign(new Error('terminated'), { code: '57P01' });
        return target.connect();
      };
    },
  });
}

test('a new version comes into force after all players are computed; the difference is silent, and transitions alternate', async () => {
  for (const user of ['ann', 'bob', 'cyd', 'dan', 'eve']) await deposit(user, `${user} 1`);
  await deposit('ann', 'ann 2');
  const { segment_id } = await segment('many', atLeast(2));
  expect(await members('many')).toEqual(['ann']);
  // The first version makes no transitions.
  expect(await transitions('many')).toEqual([]);

  const changed = await draft('many', { rule: atLeast(1) });
  await transaction(pool, (tx) => publishDraft(tx, rules, changed, by()));
  // While the new version is computed, the previous one stays in force, and events still change its members.
  await deposit('bob', 'bob 2');
  await follow();
  expect(await members('many')).toEqual(['ann', 'bob']);
  await computer.runOnce();
  await follow();
  expect(await members('many')).toEqual(['ann', 'bob', 'cyd', 'dan', 'eve']);
  const all = await transitions('many');
  expect(all[0]).toMatchObject({ user_id: 'bob', transition: 'entered', silent: false, version: 1 });
  expect(all.slice(1).map(({ user_id, silent, cause }) => [user_id, silent, cause.type])).toEqual([
    ['cyd', true, 'rule'],
    ['dan', true, 'rule'],
    ['eve', true, 'rule'],
  ]);
  expect(segment_id).toBe(changed.segment_id);
});

test('if a computation is killed, no finished portion is repeated, and no event of that time is lost', async () => {
  const one = await draft('killed', { rule: atLeast(1) });
  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  await deposit('fay', 'fay 1');
  const dying = dyingPool();
  const dead = new SegmentComputer({ pool: dying, brands, rules, clock: clock.now, log: testLog, portionPlayers: 2 });
  await expect(dead.runOnce()).rejects.toThrow('terminated');
  const { rows } = await pool.query('select done from segment_computation');
  expect(rows).toEqual([{ done: 2 }]);
  await deposit('gus', 'gus 1');
  await computer.runOnce();
  await follow();
  expect(await members('killed')).toEqual(['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus']);
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
});

test('a cancelled computation leaves no rows, and the version can be published again', async () => {
  const one = await draft('dropped', { rule: atLeast(1) });
  const { rows: versions } = await pool.query<{ version_id: number }>(
    'select version_id from segment_version where segment_id = $1',
    [one.segment_id],
  );
  const rowsOf = async (table: string) =>
    (await pool.query(`select 1 from ${table} where version_id = $1`, [versions[0]?.version_id])).rows.length;
  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  const half = new SegmentComputer({
    pool: dyingPool(),
    brands,
    rules,
    clock: clock.now,
    log: testLog,
    portionPlayers: 2,
  });
  await expect(half.runOnce()).rejects.toThrow('terminated');
  expect(await rowsOf('segment_member')).toBe(2);

  expect(await transaction(pool, (tx) => cancelComputation(tx, one))).toBe(1);
  for (const table of ['segment_member', 'segment_due', 'segment_active', 'segment_computation'])
    expect(await rowsOf(table), table).toBe(0);
  expect(await computer.runOnce()).toEqual({ portions: 0, finished: 0 });
  // Later events do not change the members of a version that is a draft.
  await deposit('gus', 'gus 2');
  await follow();
  expect(await rowsOf('segment_member')).toBe(0);

  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  await computer.runOnce();
  await follow();
  expect(await members('dropped')).toEqual(await members('killed'));
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
});

test('if a computation ends while it is being cancelled, its version is either in force or a draft', async () => {
  const one = await draft('raced', { rule: atLeast(1) });
  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  const cancelled = transaction(pool, (tx) => cancelComputation(tx, one)).then(
    () => true,
    () => false,
  );
  await Promise.all([computer.runOnce(), cancelled]);
  await computer.runOnce();
  const { rows } = await pool.query('select state from segment_version where segment_id = $1', [one.segment_id]);
  expect(rows).toEqual([{ state: (await cancelled) ? 'draft' : 'in_force' }]);
  expect(await members('raced')).toEqual((await cancelled) ? [] : await members('killed'));
});

test('a computation rests as the feed requires, at least as long as its portions took, and shows that it is slowed', async () => {
  const one = await draft('slow', { rule: atLeast(1) });
  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  const shares: (number | undefined)[] = [];
  const progress: Promise<{ rows: unknown[] }>[] = [];
  const feed = {
    isSlowed: true,
    restMs: (_: number, mostShare?: number) => {
      shares.push(mostShare);
      progress.push(pool.query('select done, slowed from segment_computation'));
      return 0;
    },
  };
  const slowed = new SegmentComputer({ pool, brands, rules, clock: clock.now, log: testLog, feed, portionPlayers: 2 });
  await slowed.runOnce({ throttled: true });
  expect(shares).toEqual([0.5, 0.5, 0.5, 0.5]);
  expect((await progress[0])?.rows).toEqual([{ done: 2, slowed: true }]);
  expect(await members('slow')).toEqual(['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus']);
});

test('an event older than the trigger age, and an import, change membership silently', async () => {
  await segment('thrice', atLeast(3));
  await deposit('ann', 'ann 3', '2026-04-01T10:00:00Z');
  await follow();
  expect(await transitions('thrice')).toMatchObject([{ user_id: 'ann', transition: 'entered', silent: true }]);
});

test('an artificial difference is found, corrected and recorded', async () => {
  await pool.query(
    `delete from segment_member where player_id = (select player_id from player where brand_id = $1 and user_id = 'dan')`,
    [brand.brand_id],
  );
  const { differences } = await verifySegments({ pool, brands, rules }, clock.now());
  expect(differences.map(({ code, user_id }) => [code, user_id])).toEqual(expect.arrayContaining([['many', 'dan']]));
  await pool.query(
    `insert into segment_computation (version_id, purpose, total, started_at) select version_id, 'recompute', 1, $1 from segment_active`,
    [new Date(clock.now() / 1000)],
  );
  await computer.runOnce();
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
  const { rows } = await pool.query('select distinct is_member from segment_difference');
  expect(rows).toEqual([{ is_member: true }]);
  expect((await transitions('many')).at(-1)).toMatchObject({
    user_id: 'dan',
    silent: true,
    cause: { type: 'recomputation' },
  });
});

test('a segment whose rule cannot be evaluated fails alone, with a reason', async () => {
  const broken = await segment('broken', atLeast(1));
  await pool.query(
    `update segment_version set rule = '{"combinator":"and","rules":[{"field":"trait.gone","operator":"=","value":1}]}' where segment_id = $1`,
    [broken.segment_id],
  );
  await pool.query(
    `insert into segment_computation (version_id, purpose, total, started_at)
     select version_id, 'recompute', 1, $1 from segment_active where code = 'broken'`,
    [new Date(clock.now() / 1000)],
  );
  await computer.runOnce();
  const { rows } = await pool.query('select state, reason from segment_version where segment_id = $1', [
    broken.segment_id,
  ]);
  expect(rows).toEqual([{ state: 'failed', reason: expect.stringContaining('trait.gone') }]);
  await deposit('hal', 'hal 1');
  await follow();
  expect(await members('many')).toContain('hal');
});
