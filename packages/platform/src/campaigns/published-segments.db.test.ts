import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { transaction } from '../database/index.ts';
import {
  insertSegment,
  publish,
  readSegments,
  recompute,
  SegmentComputer,
  saveContent,
} from '../segments/membership/index.ts';

/* A version of a segment that is published with `starts_campaigns`: campaigns start once for each player who enters or leaves. */

const setup = await setupCampaigns();
const { pool, brand, brands, rules, clock, follow, by } = setup;
const users = ['ann', 'bob', 'cyd', 'dan', 'eve'];
const atLeast = (count: number): Rule => ({
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count', operator: '>=', value: count }],
});
const deposit = (user_id: string, payment_id: string) =>
  setup.publish({ kind: 'payment', body: paymentBody({ user_id, payment_id, timestamp: '2026-05-01T11:59:00Z' }) });

async function publishRule(code: string, rule: Rule, starts_campaigns?: boolean): Promise<void> {
  const { brand_id } = brand;
  rules.forget();
  await transaction(pool, async (tx) => {
    await insertSegment(tx, { brand_id, code, name: code }, by());
    const [segment] = await readSegments(tx, brand_id, { code, lock: true });
    if (segment === undefined) throw new Error('the segment was not made');
    await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by());
    await publish(tx, rules, segment, { ...by(), ...(starts_campaigns !== undefined && { starts_campaigns }) });
  });
}

const computerOf = (db: typeof pool) =>
  new SegmentComputer({ pool: db, brands, rules, clock: clock.now, log: testLog, portionPlayers: 2 });
const computer = computerOf(pool);

/** A pool whose nth connection and all later ones fail, as if the process died at that point. */
function dyingAt(nth: number): typeof pool {
  let connections = 0;
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return async () => {
        if (++connections >= nth) throw Object.assign(new Error('terminated'), { code: '57P01' });
        return target.connect();
      };
    },
  });
}

async function follows(segment: string, on: 'entered' | 'left'): Promise<void> {
  const code = `${segment}_${on}`;
  await setup.campaign({
    code,
    name: code,
    entry: { segment, on },
    reentry: { times: 'unlimited', while_running: true },
    steps: [{ id: 'mark', tag: code }],
  });
}
const runsOf = async (code: string) => (await setup.runs(code)).map(({ user_id }) => user_id).sort();

async function transitions(code: string) {
  const { rows } = await pool.query<{ of: string }>(
    `select concat_ws(' ', p.user_id, t.transition, t.cause ->> 'type', t.cause ->> 'version', t.version, t.silent) as of
       from segment_transition t join segment s using (segment_id) join player p on p.player_id = t.player_id
      where s.code = $1 order by t.transition_id`,
    [code],
  );
  return rows.map(({ of }) => of);
}

for (const user of users) await deposit(user, `${user} 1`);
await deposit('ann', 'ann 2');
await setup.derive();
// A campaign can start from a segment only if the segment exists.
await setup.segment('paid', atLeast(9));

test('by default, transitions caused by a new version are silent and start no campaign', async () => {
  await follows('paid', 'entered');
  await publishRule('paid', atLeast(2));
  await computer.runOnce();
  await follow();
  expect(await transitions('paid')).toEqual(['ann entered rule 2 2 t']);
  expect(await runsOf('paid_entered')).toEqual([]);
});

test('a version that starts campaigns starts one run per player who enters or leaves, even if its computation dies at any point', async () => {
  await follows('paid', 'left');
  await publishRule(
    'paid',
    { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '=', value: 1 }] },
    true,
  );
  // The process dies before the barrier, between two portions, and three times before the version comes into force.
  for (const nth of [1, 3, 3, 1, 1]) await expect(computerOf(dyingAt(nth)).runOnce()).rejects.toThrow('terminated');
  expect(await transitions('paid')).toHaveLength(1);
  await computer.runOnce();
  await computer.runOnce();
  await follow();
  expect((await transitions('paid')).slice(1).sort()).toEqual([
    'ann left rule 3 3 f',
    ...['bob', 'cyd', 'dan', 'eve'].map((user) => `${user} entered rule 3 3 f`),
  ]);
  expect(await runsOf('paid_entered')).toEqual(['bob', 'cyd', 'dan', 'eve']);
  expect(await runsOf('paid_left')).toEqual(['ann']);
  // A later version is silent again, because the option applies to one version only.
  await publishRule('paid', atLeast(1));
  await computer.runOnce();
  await follow();
  expect((await transitions('paid')).at(-1)).toBe('ann entered rule 4 4 t');
  expect(await runsOf('paid_entered')).toHaveLength(4);
});

test('a first version that starts campaigns starts one run per member, and no second one if it is recomputed after a failure', async () => {
  await publishRule('twice', atLeast(2), true);
  await follows('twice', 'entered');
  // A player whose event arrives during the computation is one of the first members.
  await deposit('bob', 'bob 2');
  await setup.derive();
  await follow();
  expect(await transitions('twice')).toEqual([]);
  await computer.runOnce();
  await follow();
  const entered = ['ann entered rule 1 1 f', 'bob entered rule 1 1 f'];
  expect((await transitions('twice')).sort()).toEqual(entered);
  expect(await runsOf('twice_entered')).toEqual(['ann', 'bob']);
  await deposit('cyd', 'cyd 2');
  await setup.derive();
  await follow();
  expect(await runsOf('twice_entered')).toEqual(['ann', 'bob', 'cyd']);
  const before = await transitions('twice');

  const [segment] = await readSegments(pool, brand.brand_id, { code: 'twice' });
  if (segment === undefined) throw new Error('the segment is gone');
  await pool.query(`update segment_version set state = 'failed', reason = 'a test' where segment_id = $1`, [
    segment.segment_id,
  ]);
  await pool.query(`update segment_active set phase = 'kept', kinds = '{}' where code = 'twice'`);
  await transaction(pool, (tx) => recompute(tx, rules, segment, by()));
  await computer.runOnce();
  await follow();
  expect(await transitions('twice')).toEqual(before);
  expect(await runsOf('twice_entered')).toHaveLength(3);
});
