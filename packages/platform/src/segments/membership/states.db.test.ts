import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { noteProtection } from '../../operator/protection/index.ts';
import { freeze, publish as publishDraft, setPaused, verifySegments } from './index.ts';
import { readSegments } from './versions/store.ts';

const stage = await setupSegments();
const {
  pool,
  brand,
  brands,
  rules,
  clock,
  publish,
  derive,
  follow,
  segment,
  members,
  transitions,
  computer,
  playerId,
} = stage;
const by = () => ({ at: clock.now(), actor: 'a test' });
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const atLeast = (count: number) => rule({ field: 'trait.deposit_count', operator: '>=', value: count });

async function deposit(user_id: string, payment_id: string) {
  await publish({
    kind: 'payment',
    body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(clock.now()) }),
  });
  await derive();
  await follow();
}

async function stored(code: string) {
  const [found] = await readSegments(pool, brand.brand_id, { code });
  if (found === undefined) throw new Error(`there is no segment ${code}`);
  return found;
}

async function pause(code: string, paused: boolean) {
  const one = await stored(code);
  await transaction(pool, (tx) => setPaused(tx, rules, one, paused, by()));
}

async function block(user_id: string, active: boolean) {
  const player_id = await playerId(user_id);
  await transaction(pool, async (tx) => {
    await tx.query(
      `insert into player_block (player_id, type_key, type, spelling, active, source, as_of) values ($1, 'blocked', 'Blocked', 'Blocked', $2, 'look_up', $3)
       on conflict (player_id, type_key) do update set active = excluded.active`,
      [player_id, active, timestamptzText(clock.now())],
    );
    await noteProtection(tx, [player_id], { source: 'look_up', at: clock.now() });
  });
  await follow();
}

async function agrees() {
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
}

test('a paused segment keeps its members; resuming updates them silently, and later events cause transitions again', async () => {
  await deposit('ann', 'ann 1');
  await segment('paused', atLeast(1));
  await pause('paused', true);
  await deposit('bob', 'bob 1');
  const { rows } = await pool.query('select user_id from segment_member join player using (player_id)');
  expect(rows).toEqual([{ user_id: 'ann' }]);
  await pause('paused', false);
  await computer.runOnce();
  await follow();
  expect(await members('paused')).toEqual(['ann', 'bob']);
  expect(await transitions('paused')).toMatchObject([{ user_id: 'bob', transition: 'entered', silent: true }]);
  await deposit('cyd', 'cyd 1');
  expect((await transitions('paused')).at(-1)).toMatchObject({ user_id: 'cyd', silent: false });
  await agrees();
});

test('a frozen list keeps its members after publishing, regardless of later events', async () => {
  await segment('frozen', atLeast(1));
  await transaction(pool, async (tx) => freeze(tx, await stored('frozen'), { replacesDraft: false }, by()));
  const before = await members('frozen');
  const one = await stored('frozen');
  await transaction(pool, (tx) => publishDraft(tx, rules, one, by()));
  await computer.runOnce();
  await deposit('dan', 'dan 1');
  expect(await members('frozen')).toEqual(before);
  expect(await members('paused')).toContain('dan');
  expect(await transitions('frozen')).toEqual([]);
  // Protection also applies to lists.
  await block('ann', true);
  expect(await members('frozen')).toEqual(before.filter((user) => user !== 'ann'));
  await block('ann', false);
  expect(await members('frozen')).toEqual(before);
  await agrees();
});

test('protected players are members only of segments that include them', async () => {
  await segment('usual', atLeast(1));
  await segment('includes', atLeast(1), { include_protected: true });
  await block('bob', true);
  expect(await members('usual')).not.toContain('bob');
  expect(await members('includes')).toContain('bob');
  expect((await transitions('usual')).at(-1)).toMatchObject({
    user_id: 'bob',
    transition: 'left',
    cause: { type: 'protection' },
  });
  expect(await transitions('includes')).toEqual([]);
  await block('bob', false);
  expect(await members('usual')).toContain('bob');
  await agrees();
});
