import type { Rule } from '@croupier/rules';
import { beforeEach, expect, test, vi } from 'vitest';
import { paymentBody } from '../../../../testing/derive/stage.ts';
import { testLog } from '../../../../testing/log.ts';
import { setupSegments } from '../../../../testing/segments/setup-segments.ts';
import { timestamptzText, transaction } from '../../../database/index.ts';
import { noteProtection } from '../../../operator/protection/index.ts';
import { lockVersion } from '../active/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { DueSweeper, type SweeperOptions } from './sweeper.ts';
import { verifySegments } from './verify.ts';

const stage = await setupSegments({ brand: { time_zone: 'Europe/Malta' } });
const { pool, brands, clock, publish, derive, segment, members, transitions, playerId, follow, lane } = stage;
const moment = (text: string) => Date.parse(text) * 1000;
/** Midnights in Malta. */
const [second, third] = [moment('2026-05-01T22:00:00Z'), moment('2026-05-02T22:00:00Z')];
const depositedInTwoDays: Rule = {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count_2d', operator: '>=', value: 1 }],
};
const portionPlayers = 250;
const names = (letter: string) => Array.from({ length: 220 }, (_, n) => `${letter}${n}`);

function createSweeper(rules: RuleReading = stage.rules, more: Partial<SweeperOptions> = {}): DueSweeper {
  return new DueSweeper({ pool, brands, rules, clock: clock.now, log: testLog, portionPlayers, ...more });
}

async function deposit(users: readonly string[], timestamp: string): Promise<void> {
  const bodies = users.map((user_id) => paymentBody({ user_id, payment_id: `${user_id} ${timestamp}`, timestamp }));
  await publish(...bodies.map((body) => ({ kind: 'payment' as const, body })));
  await derive();
}

let count = 0;
/** A segment of 440 members: half of them leave at the second midnight, the others at the third. */
async function twoMidnights() {
  const code = `depositors_${++count}`;
  clock.set(moment('2026-05-01T10:00:00Z'));
  const early = names(`early-${count}-`);
  const late = names(`late-${count}-`);
  await deposit(early, '2026-04-30T10:00:00Z');
  await deposit(late, '2026-05-01T09:00:00Z');
  await segment(code, depositedInTwoDays);
  const { rows } = await pool.query<{ version_id: number }>('select version_id from segment_active where code = $1', [
    code,
  ]);
  const [active] = rows;
  if (active === undefined) throw new Error(`${code} is not active`);
  return { code, early, late, version: active.version_id };
}

async function membersLeft(code: string, all: readonly string[]): Promise<number> {
  const own = new Set(all);
  return (await members(code)).filter((one) => own.has(one)).length;
}

beforeEach(async () => {
  // The players of one test must not exist in the next.
  await pool.query('truncate player, payment_day, payment_hour, payment_total, segment_member, segment_due');
  await pool.query('delete from segment_active');
});

test('no player is swept before midnight; at midnight all due players are, with midnight as the cause', async () => {
  const { code, early, late, version } = await twoMidnights();
  const sweeper = createSweeper();
  clock.set(second - 1);
  sweeper.want([version]);
  expect(await sweeper.runOnce()).toEqual({ swept: 0 });
  expect(await members(code)).toHaveLength(440);

  clock.set(second);
  sweeper.want([version]);
  expect(await sweeper.runOnce()).toEqual({ swept: 220 });
  expect(await members(code)).toEqual([...late].sort());
  const told = await transitions(code);
  expect(told.map(({ user_id }) => user_id).sort()).toEqual([...early].sort());
  for (const one of told)
    expect(one).toMatchObject({
      transition: 'left',
      cause: { type: 'time', at: second },
      silent: false,
      at: second,
      version: 1,
    });
});

test('a sweep that runs a day late gives each player the right midnight as the cause', async () => {
  const { code, early, version } = await twoMidnights();
  clock.set(third + 3_600_000_000);
  const sweeper = createSweeper();
  sweeper.want([version]);
  expect(await sweeper.runOnce()).toEqual({ swept: 440 });
  expect(await members(code)).toEqual([]);
  const told = await transitions(code);
  expect(told).toHaveLength(440);
  for (const { user_id, cause, at } of told)
    expect({ user_id, cause, at }).toEqual({
      user_id,
      cause: { type: 'time', at: early.includes(user_id) ? second : third },
      at: third + 3_600_000_000,
    });
});

test('after a kill in the middle, at most one portion is repeated, and no transition is written twice', async () => {
  const { code, early, late, version } = await twoMidnights();
  clock.set(third);
  let portions = 0;
  const killedInTheSecond: RuleReading = {
    kindsOf: (needs) => stage.rules.kindsOf(needs),
    readsRecords: (needs) => stage.rules.readsRecords(needs),
    of: async (brand) => {
      if (++portions === 2)
        await pool.query(
          `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
            where locktype = 'advisory' and objid = $1 and granted and pg_locks.database = (select oid from pg_database where datname = current_database())`,
          [version],
        );
      return stage.rules.of(brand);
    },
  };
  const killed = createSweeper(killedInTheSecond);
  killed.want([version]);
  await expect(killed.runOnce()).rejects.toThrow();
  expect(await membersLeft(code, [...early, ...late])).toBe(440 - portionPlayers);
  expect(await transitions(code)).toHaveLength(portionPlayers);

  const next = createSweeper();
  next.want([version]);
  expect(await next.runOnce()).toEqual({ swept: 440 - portionPlayers });
  const told = await transitions(code);
  expect(new Set(told.map(({ user_id }) => user_id)).size).toBe(440);
  expect(told).toHaveLength(440);
  expect((await verifySegments(stage, clock.now())).differences).toEqual([]);
});

test('the next portion waits until the lane has processed the news that it skipped during the last portion', async () => {
  const { code, early, late, version } = await twoMidnights();
  await deposit(['newcomer'], '2026-05-01T09:30:00Z');
  await transaction(pool, async (tx) => {
    await lockVersion(tx, version);
    await lane.runOnce();
  });
  expect(await members(code)).not.toContain('newcomer');

  clock.set(third);
  const sweeper = createSweeper(stage.rules, { longestRestMs: 60_000 });
  sweeper.want([version]);
  const asked = vi.spyOn(pool, 'query');
  const sweep = sweeper.runOnce({ throttled: true });
  // Wait until it has swept one portion, and has checked more than once whether news waits.
  const timesAsked = () => asked.mock.calls.filter(([text]) => String(text).includes('segment_news')).length;
  await vi.waitFor(() => expect(timesAsked()).toBeGreaterThan(1), { timeout: 60_000 });
  asked.mockRestore();
  expect(await membersLeft(code, [...early, ...late])).toBe(early.length + late.length - portionPlayers);
  // The lane processes the news and the 190 remaining players, who are too few for a sweep.
  await lane.runOnce();
  expect(await sweep).toEqual({ swept: portionPlayers });
  expect(await members(code)).toEqual([]);
});

test('a protected player leaves without a transition, because it was not a member', async () => {
  const { code, early, version } = await twoMidnights();
  const blocked = await playerId(early[0] as string);
  await transaction(pool, async (tx) => {
    await tx.query(
      `insert into player_block (player_id, type_key, type, spelling, active, source, as_of) values ($1, 'blocked', 'Blocked', 'Blocked', true, 'look_up', $2)`,
      [blocked, timestamptzText(clock.now())],
    );
    await noteProtection(tx, [blocked], { source: 'look_up', at: clock.now() });
  });
  await follow();
  expect(await members(code)).toHaveLength(439);
  const before = await transitions(code);
  clock.set(second);
  const sweeper = createSweeper();
  sweeper.want([version]);
  expect(await sweeper.runOnce()).toEqual({ swept: 220 });
  const { rows } = await pool.query('select from segment_member where player_id = $1', [blocked]);
  expect(rows).toEqual([]);
  const told = (await transitions(code)).slice(before.length);
  expect(told).toHaveLength(219);
  expect(told.map(({ user_id }) => user_id)).not.toContain(early[0]);
});
