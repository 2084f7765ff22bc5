import type { Rule, RuleNode } from '@croupier/rules';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { noteProtection } from '../../operator/protection/index.ts';
import { verifySegments } from './index.ts';
import { tagPlayers } from './tags/store.ts';

/*
 * Membership depends only on facts and time. This test applies random changes to players in random order, and moves the
 * clock by random steps. At each moment, live membership must equal a computation over all players, and the transitions
 * of each player in each segment must alternate.
 */
const stage = await setupSegments({ portionPlayers: 3, brand: { time_zone: 'Europe/Malta' } });
const { pool, brand, clock, publish, derive, follow, segment, rules, brands, playerId, computer } = stage;
const seed = Number(process.env.SEGMENTS_SEED ?? 20260501);
const histories = 25;

const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const segments: Record<string, Rule> = {
  depositors: rule({ field: 'trait.deposit_count', operator: '>=', value: 1 }),
  twice_a_week: rule({ field: 'trait.deposit_count_7d', operator: '>=', value: 2 }),
  last_hours: rule({ field: 'trait.deposit_sum_3h', operator: '>=', value: 20 }),
  declining: rule(
    { field: 'trait.deposit_count_prev_7d', operator: '>', value: 0 },
    { field: 'trait.deposit_count_7d', operator: '=', value: 0 },
  ),
  silent: rule({ field: 'trait.last_event_at', operator: 'notInLast', value: 'P3D' }),
  fresh: rule({ field: 'trait.login_last_at', operator: 'inLast', value: 'PT90M' }),
  minutes: rule({ field: 'did.payment', match: { mode: 'atLeast', threshold: 2 }, within: 'PT45M' }),
  big: rule({
    field: 'did.payment',
    match: { mode: 'atLeast', threshold: 1 },
    within: 'P2D',
    value: rule({ field: 'base_amount', operator: '>=', value: 40 }),
  }),
  days: rule({ field: 'trait.days_since_deposit', operator: '>=', value: 2 }),
  tagged: rule({ field: 'tag.vip', operator: '=', value: true }),
  nested: rule(
    { field: 'segment.twice_a_week', operator: '=', value: true },
    {
      combinator: 'or',
      rules: [
        { field: 'segment.tagged', operator: '=', value: true },
        { field: 'segment.fresh', operator: '=', value: false },
      ],
    },
  ),
  everybody: { combinator: 'and', rules: [] },
};
const users = ['ann', 'bob', 'cyd', 'dan'] as const;

type Action =
  | { do: 'deposit'; user: string; amount: number; ago: number; status: string; id: number }
  | { do: 'login'; user: string; ago: number }
  | { do: 'tag'; user: string; action: 'add' | 'remove' }
  | { do: 'block'; user: string; active: boolean }
  | { do: 'wait'; minutes: number }
  | { do: 'recompute'; code: string };

const user = fc.constantFrom(...users);
const minute = 60_000_000;
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deposit' as const),
      user,
      amount: fc.constantFrom(5, 20, 50),
      ago: fc.constantFrom(0, 1, 40, 60 * 24, 60 * 24 * 6),
      status: fc.constantFrom('Approved', 'Approved', 'Approved', 'Rollback'),
      id: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('login' as const), user, ago: fc.constantFrom(0, 1, 90) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tag' as const),
      user,
      action: fc.constantFrom('add' as const, 'remove' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), user, active: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 44, 46, 60, 180, 60 * 24, 60 * 24 * 3, 60 * 24 * 8),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('recompute' as const), code: fc.constantFrom(...Object.keys(segments)) }),
  },
);

async function act(one: Action, prefix: string) {
  const now = clock.now();
  switch (one.do) {
    case 'deposit': {
      const { user, amount, ago, status, id } = one;
      const timestamp = timestamptzText(now - ago * minute);
      await publish({
        kind: 'payment',
        body: paymentBody({ user_id: prefix + user, payment_id: `${id}`, amount, status, timestamp }),
      });
      return derive();
    }
    case 'login':
      await publish({
        kind: 'login',
        body: { user_id: prefix + one.user, timestamp: timestamptzText(now - one.ago * minute) },
      });
      return derive();
    case 'tag': {
      const player_id = await playerId(prefix + one.user);
      const tagging = { player_id, brand_id: brand.brand_id, tag: 'vip', action: one.action, actor: 'a test' };
      return transaction(pool, async (tx) => void (await tagPlayers(tx, [tagging], now)));
    }
    case 'block': {
      const player_id = await playerId(prefix + one.user);
      return transaction(pool, async (tx) => {
        await tx.query(
          `insert into player_block (player_id, type_key, type, spelling, active, source, as_of) values ($1, 'blocked', 'Blocked', 'Blocked', $2, 'look_up', $3)
           on conflict (player_id, type_key) do update set active = excluded.active`,
          [player_id, one.active, timestamptzText(now)],
        );
        await noteProtection(tx, [player_id], { source: 'look_up', at: now });
      });
    }
    case 'wait':
      return clock.advance(one.minutes * minute);
    case 'recompute': {
      await pool.query(
        `insert into segment_computation (version_id, purpose, total, started_at)
         select version_id, 'recompute', 1, $2 from segment_active where code = $1 on conflict do nothing`,
        [one.code, timestamptzText(now)],
      );
      return void (await computer.runOnce());
    }
    default:
      return one satisfies never;
  }
}

test('live membership equals a computation, at every moment', { timeout: 240_000 }, async () => {
  for (const name of users)
    await publish({ kind: 'login', body: { user_id: name, timestamp: timestamptzText(clock.now()) } });
  await derive();
  for (const [code, one] of Object.entries(segments)) await segment(code, one);
  const samples = fc.sample(fc.array(action, { minLength: 8, maxLength: 20 }), { numRuns: histories, seed });
  for (const [number, actions] of samples.entries()) {
    const prefix = `${number} `;
    for (const name of users)
      await publish({ kind: 'login', body: { user_id: prefix + name, timestamp: timestamptzText(clock.now()) } });
    await derive();
    for (const [index, one] of actions.entries()) {
      await act(one, prefix);
      await follow();
      const { versions, differences } = await verifySegments({ pool, brands, rules }, clock.now());
      expect(versions).toBe(Object.keys(segments).length);
      const told = `seed ${seed}, history ${number}\n${JSON.stringify(actions.slice(0, index + 1), null, 1)}`;
      expect(differences, told).toEqual([]);
    }
  }
  const { rows } = await pool.query(
    `select player_id, segment_id, transition_id from (
       select *, lag(transition) over (partition by player_id, segment_id order by transition_id) as before from segment_transition) t
      where before = transition`,
  );
  expect(rows).toEqual([]);
  const { rows: loud } = await pool.query<{ type: string; n: number }>(
    `select cause ->> 'type' as type, count(*)::int as n from segment_transition group by 1 order by 1`,
  );
  const types = loud.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['event', 'protection', 'segment', 'tag', 'time']));
  expect(types).not.toContain('recomputation');
});
