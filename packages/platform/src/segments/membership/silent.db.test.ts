import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { rebuild } from '../../derive/index.ts';
import { noteReplacedOrRemoved, publish as publishDraft, recompute, saveContent, verifySegments } from './index.ts';
import { readSegments } from './versions/store.ts';

/*
 * Five things must not start a campaign: an import of old events, a first computation, a new version, a recomputation, and a
 * rebuild. Each of them changes members here, and all transitions that it causes are silent.
 */
const stage = await setupSegments({ portionPlayers: 3 });
const { pool, brand, brands, rules, ledger, history, clock } = stage;
const { publish, derive, follow, segment, members, transitions, computer, sweeper } = stage;
const by = () => ({ at: clock.now(), actor: 'a test' });
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const atLeast = (count: number) => rule({ field: 'trait.deposit_count', operator: '>=', value: count });
const day = 86_400_000_000;
const users = ['ann', 'bob', 'cyd', 'dan', 'eve'];
const codes = ['depositors', 'week', 'everybody', 'nested', 'minutes'] as const;

const deposit = (user_id: string, payment_id: string, ago: number) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(clock.now() - ago) }),
});

async function all() {
  return (await Promise.all(codes.map(transitions))).flat();
}

/** Checks that all transitions so far are silent, and that there are more than before. */
async function onlySilentOnes({ more }: { more: number }) {
  const found = await all();
  expect(found.filter(({ silent }) => !silent)).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(seen + more);
  seen = found.length;
}
let seen = 0;

async function agrees() {
  const { versions, differences } = await verifySegments({ pool, brands, rules }, clock.now());
  expect({ versions, differences }).toEqual({ versions: codes.length, differences: [] });
}

test('a first computation makes no transition for its members', async () => {
  await publish(...users.map((user) => deposit(user, `${user} 1`, 0)));
  await derive();
  await segment('depositors', atLeast(1));
  await segment('week', rule({ field: 'trait.deposit_count_7d', operator: '>=', value: 3 }));
  await segment('everybody', { combinator: 'and', rules: [] });
  await segment('nested', rule({ field: 'segment.week', operator: '=', value: true }));
  await segment('minutes', rule({ field: 'did.payment', match: { mode: 'exactly', threshold: 0 }, within: 'PT45M' }));
  expect(await members('depositors')).toEqual(users);
  expect(await members('everybody')).toEqual(users);
  expect(await all()).toEqual([]);
});

test('an import of old events changes members silently: known players and those whom it creates', async () => {
  const imported = [...users, 'fay', 'gus'];
  for (const days of [1, 2, 3, 40])
    await publish(...imported.map((user) => deposit(user, `${user} ${days} days ago`, days * day)));
  await derive();
  await follow();
  expect(await members('week')).toEqual(imported);
  expect(await members('nested')).toEqual(imported);
  expect(await members('everybody')).toEqual(imported);
  await onlySilentOnes({ more: 18 });
  await agrees();
});

test('an import is silent, too, if it arrives at a moment when time may change answers', async () => {
  clock.advance(day - (clock.now() % day));
  await publish(...['hal', 'ida'].map((user) => deposit(user, `${user} now`, 90 * 60_000_000)));
  await publish(...users.map((user) => deposit(user, `${user} 4 days ago`, 4 * day)));
  await derive();
  await pool.query(
    `insert into segment_due (player_id, version_id, due_at, rough)
     select player_id, version_id, $1, false from player cross join segment_active
     on conflict (player_id, version_id) do update set due_at = excluded.due_at, rough = false`,
    [timestamptzText(clock.now())],
  );
  await follow();
  await onlySilentOnes({ more: 6 });
  await agrees();
});

test('a sweep of many due players skips players with news; the next round evaluates them, with the news as the cause', async () => {
  clock.advance(3_600_000_000);
  await publish(...['kim', 'lou'].map((user) => deposit(user, `${user} now`, 90 * 60_000_000)));
  await derive();
  const { rows } = await pool.query<{ version_id: number }>('select version_id from segment_active');
  await pool.query(
    `insert into segment_due (player_id, version_id, due_at, rough)
     select player_id, version_id, $1, false from player cross join segment_active
     on conflict (player_id, version_id) do update set due_at = excluded.due_at, rough = false`,
    [timestamptzText(clock.now())],
  );
  sweeper.want(rows.map(({ version_id }) => version_id));
  await sweeper.runOnce();
  await follow();
  expect((await all()).filter(({ user_id }) => ['kim', 'lou'].includes(user_id)).length).toBeGreaterThanOrEqual(4);
  await onlySilentOnes({ more: 4 });
  await agrees();
});

test('a new version, and those that refer to its segment, change members silently', async () => {
  const [week] = await readSegments(pool, brand.brand_id, { code: 'week' });
  if (week === undefined) throw new Error('there is no such segment');
  const content = { rule: rule({ field: 'trait.deposit_count_7d', operator: '>=', value: 50 }) };
  await transaction(pool, async (tx) => {
    await saveContent(tx, { brand, rules, segment: week, content, include_protected: false }, by());
    await publishDraft(tx, rules, week, by());
  });
  await computer.runOnce();
  await computer.runOnce();
  await follow();
  expect(await members('nested')).toEqual([]);
  await onlySilentOnes({ more: 10 });
  await agrees();
});

test('a recomputation corrects members silently', async () => {
  await pool.query(
    `delete from segment_member where version_id = (select version_id from segment_active where code = 'depositors')`,
  );
  const [one] = await readSegments(pool, brand.brand_id, { code: 'depositors' });
  if (one === undefined) throw new Error('there is no such segment');
  await transaction(pool, (tx) => recompute(tx, rules, one, by()));
  await computer.runOnce();
  await follow();
  expect((await members('depositors')).length).toBeGreaterThanOrEqual(users.length);
  const corrected = (await transitions('depositors')).filter(({ cause }) => cause.type === 'recomputation');
  expect(corrected.length).toBeGreaterThanOrEqual(users.length);
  await onlySilentOnes({ more: users.length });
  await agrees();
});

test('a rebuild that replaces totals updates members silently', async () => {
  await pool.query('update live.payment_total set deposit_count = 0');
  const { rows } = await pool.query(`select version_id from segment_active where code = 'depositors'`);
  await pool.query('delete from segment_member where version_id = $1', [rows[0].version_id]);
  await agrees();
  const result = await rebuild({
    pool,
    ledger,
    history,
    brands,
    log: testLog,
    clock: clock.now,
    scope: { of: 'everything' },
    swap: true,
    onExchanged: noteReplacedOrRemoved,
  });
  expect(result.swapped).toBeGreaterThanOrEqual(users.length);
  await follow();
  expect(await members('depositors')).toEqual(expect.arrayContaining(users));
  await onlySilentOnes({ more: users.length });
  await agrees();
});

test('a current event causes a transition that is not silent, so the other tests would detect such a transition', async () => {
  await publish(deposit('jim', 'jim 1', 0));
  await derive();
  await follow();
  expect((await transitions('depositors')).at(-1)).toMatchObject({ user_id: 'jim', silent: false });
});
