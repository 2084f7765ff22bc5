import type { Rule } from '@croupier/rules';
import { afterEach, expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText } from '../../database/index.ts';
import { bucketOf, playerHash } from '../../ledger/index.ts';
import { SegmentLane } from './index.ts';
import { readFailingBuckets } from './live/bucket-failures.ts';
import { longestWait, shortestWait } from './live/held-back.ts';
import { listFailingPlayers } from './live/player-failures.ts';
import type { RuleReading } from './rule-reading.ts';

/*
 * If PostgreSQL refuses the data of one player, or the rules cannot be evaluated for this player, all others of the same bucket move in
 * the same round. The player is listed with the reason, and is tried again.
 */
const stage = await setupSegments();
const { pool, brand, brands, clock, publish, derive, lane, leases, rules, segment, members } = stage;
const { brand_id } = brand;
const depositors: Rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
const recently: Rule = {
  combinator: 'and',
  rules: [{ field: 'did.payment', match: { mode: 'atLeast', threshold: 1 }, within: 'PT1H' }],
};
const outOfRange = 'cannot be processed: a number is out of range (SQLSTATE 22003)';

/** Players of one bucket, none of whom exists yet. */
let made = 0;
function usersOfOneBucket(count: number): string[] {
  const users: string[] = [];
  for (; users.length < count; made++) {
    const user = `player-${made}`;
    if (bucketOf(playerHash(brand_id, user)) === 7) users.push(user);
  }
  return users;
}

const deposit = async (...users: string[]) => {
  const timestamp = timestamptzText(clock.now());
  for (const user_id of users)
    await publish({
      kind: 'payment',
      body: paymentBody({ user_id, payment_id: `${user_id} ${clock.now()}`, timestamp }),
    });
  await derive();
};
const idOf = async (user: string) =>
  (await pool.query<{ player_id: number }>('select player_id from player where user_id = $1', [user])).rows[0]
    ?.player_id ?? 0;
const failing = async () =>
  (await listFailingPlayers(pool, brand_id, { limit: 10 })).map(({ user_id, failures, reason }) => [
    user_id,
    failures,
    reason,
  ]);
const stateOf = async (code: string) =>
  (
    await pool.query<{ state: string; reason: string | null }>(
      `select v.state, v.reason from segment_version v join segment s using (segment_id)
        where s.code = $1 order by v.version_id desc limit 1`,
      [code],
    )
  ).rows[0];

let dropped = '';
/** Rows of the table for which the condition holds are refused with this SQLSTATE. */
async function refuse(table: string, condition: string, sqlstate = '22003'): Promise<void> {
  dropped = `drop trigger refuse on ${table}; drop function refuse()`;
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$
       begin if ${condition} then raise exception 'the value 4711 is refused' using errcode = '${sqlstate}'; end if; return new; end $$;
     create trigger refuse before insert or update on ${table} for each row execute function refuse()`,
  );
}
async function permit(): Promise<void> {
  if (dropped !== '') await pool.query(dropped);
  dropped = '';
}
/** Ends the failures of a test. */
afterEach(async () => {
  await permit();
  clock.advance(longestWait);
  await stage.follow();
  expect(await failing()).toEqual([]);
});

/** A lane whose rules throw for these players, when they read a value. */
function laneThatThrowsFor(isBad: (playerId: number) => boolean): SegmentLane {
  const throwing: RuleReading = {
    kindsOf: (needs) => rules.kindsOf(needs),
    readsRecords: (needs) => rules.readsRecords(needs),
    async of(of, fields) {
      const own = await rules.of(of, fields);
      return {
        ...own,
        async loadViews(tx, asked) {
          const views = await own.loadViews(tx, asked);
          const broken = () => {
            throw new TypeError('x is undefined');
          };
          return new Map([...views].map(([id, view]) => [id, isBad(id) ? { ...view, value: broken } : view]));
        },
      };
    },
  };
  return new SegmentLane({ pool, brands, rules: throwing, leases, clock: clock.now, log: testLog, onMass: () => {} });
}

await segment('depositors', depositors);
await segment('recent', recently);

test.each(['segment_member', 'segment_transition', 'segment_due'])(
  'if a row of one player in %s is refused, the 19 others of the bucket move in the same round',
  async (table) => {
    const users = usersOfOneBucket(20);
    const bad = users[11] as string;
    await deposit(...users);
    await refuse(table, `new.player_id = ${await idOf(bad)}`);
    await lane.runOnce();
    const others = users.filter((user) => user !== bad);
    for (const code of ['depositors', 'recent']) {
      const found = (await members(code)).filter((user) => users.includes(user));
      expect(found.toSorted()).toEqual(others.toSorted());
    }
    expect(await failing()).toEqual([[bad, 1, outOfRange]]);
    expect(await readFailingBuckets(pool)).toMatchObject({ buckets: [] });
  },
);

test('a player who fails is left out of other rounds, is tried again later, and misses nothing', async () => {
  const [bad, other] = usersOfOneBucket(2) as [string, string];
  await deposit(bad);
  await refuse('segment_member', `new.player_id = ${await idOf(bad)}`);
  await lane.runOnce();
  expect(await failing()).toEqual([[bad, 1, outOfRange]]);
  // Another player of the bucket moves in a round that does not fail.
  await deposit(other, bad);
  expect(await lane.runOnce()).toMatchObject({ players: 1 });
  expect(await members('depositors')).toContain(other);
  expect(await failing()).toEqual([[bad, 1, outOfRange]]);
  clock.advance(shortestWait);
  await lane.runOnce();
  expect(await failing()).toEqual([[bad, 2, outOfRange]]);
  // The wait doubles.
  await permit();
  clock.advance(shortestWait);
  await lane.runOnce();
  expect(await members('depositors')).not.toContain(bad);
  clock.advance(shortestWait);
  await lane.runOnce();
  expect(await members('depositors')).toContain(bad);
  expect(await stage.transitions('depositors')).toContainEqual(
    expect.objectContaining({
      user_id: bad,
      transition: 'entered',
      cause: expect.objectContaining({ kind: 'payment' }),
    }),
  );
  clock.advance(shortestWait);
  await lane.runOnce();
  expect(await failing()).toEqual([]);
});

test('a player who fails when time alone moves players does not keep the others', async () => {
  const users = usersOfOneBucket(10);
  const bad = users[0] as string;
  await deposit(...users);
  await stage.follow();
  await refuse('segment_transition', `new.player_id = ${await idOf(bad)}`);
  clock.advance(3_600_000_000 + 1);
  await lane.runOnce();
  expect((await members('recent')).filter((user) => users.includes(user))).toEqual([bad]);
  expect(await failing()).toEqual([[bad, 1, outOfRange]]);
});

test('after a restart, a player who failed before waits as long as without it, and the others move', async () => {
  const [bad, other] = usersOfOneBucket(2) as [string, string];
  await deposit(bad);
  await refuse('segment_member', `new.player_id = ${await idOf(bad)}`);
  await lane.runOnce();
  await deposit(other);
  const another = laneThatThrowsFor(() => false);
  await another.runOnce();
  expect(await members('depositors')).toContain(other);
  expect(await failing()).toEqual([[bad, 1, outOfRange]]);
  clock.advance(shortestWait);
  await another.runOnce();
  expect(await failing()).toEqual([[bad, 2, outOfRange]]);
});

test('six players who fail do not keep the others of their bucket, although their news is the oldest', async () => {
  const users = usersOfOneBucket(20);
  for (const user of users) await deposit(user);
  const bad = new Set(await Promise.all(users.slice(0, 6).map(idOf)));
  await laneThatThrowsFor((player) => bad.has(player)).runOnce();
  const found = (await members('depositors')).filter((user) => users.includes(user));
  expect(found.toSorted()).toEqual(users.slice(6).toSorted());
  expect(await failing()).toHaveLength(6);
  expect(await readFailingBuckets(pool)).toMatchObject({ buckets: [] });

  // After a restart, nothing else happens than that they fail again. This proves nothing about the segment.
  const another = laneThatThrowsFor((player) => bad.has(player));
  clock.advance(shortestWait);
  await another.runOnce();
  expect((await failing()).map(([, failures]) => failures)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(await stateOf('depositors')).toMatchObject({ state: 'in_force' });
});

test('if the next try of a player meets a deadlock, the others move, and the player is tried again later', async () => {
  const [bad, other] = usersOfOneBucket(2) as [string, string];
  await deposit(bad);
  const id = await idOf(bad);
  await refuse('segment_member', `new.player_id = ${id}`);
  await lane.runOnce();
  await permit();
  await refuse('segment_member', `new.player_id = ${id}`, '40P01');
  await deposit(other);
  clock.advance(shortestWait);
  await lane.runOnce();
  expect(await members('depositors')).toContain(other);
  expect(await failing()).toEqual([[bad, 1, outOfRange]]);
});

test('if the rules cannot be evaluated for one player, the segment does not fail, and the others move', async () => {
  const users = usersOfOneBucket(10);
  const bad = users[4] as string;
  await deposit(...users);
  const id = await idOf(bad);
  await laneThatThrowsFor((player) => player === id).runOnce();
  const found = (await members('depositors')).filter((user) => users.includes(user));
  expect(found.toSorted()).toEqual(users.filter((user) => user !== bad).toSorted());
  expect(await failing()).toEqual([[bad, 1, 'cannot be processed: segment depositors: x is undefined']]);
  expect(await stateOf('depositors')).toMatchObject({ state: 'in_force' });
});

test('if a valid rule cannot be evaluated for any player, the segment fails, and other segments continue', async () => {
  await segment('broken', depositors);
  const all = laneThatThrowsFor(() => true);
  // `recent` reads no value.
  await pool.query(`delete from segment_active where code = 'depositors'`);
  const users = usersOfOneBucket(6);
  await deposit(...users);
  await all.runOnce();
  expect(await stateOf('broken')).toMatchObject({ state: 'failed', reason: 'x is undefined' });
  clock.advance(shortestWait);
  await all.runOnce();
  expect(await members('recent')).toEqual(expect.arrayContaining(users));
});

test.each([
  ['a deadlock', '40P01'],
  ['an unknown column', '42703'],
])('after %s, no player is held back', async (_name, sqlstate) => {
  const [user] = usersOfOneBucket(1) as [string];
  await deposit(user);
  await refuse('segment_due', `new.player_id = ${await idOf(user)}`, sqlstate);
  await lane.runOnce();
  expect(await failing()).toEqual([]);
  expect(await readFailingBuckets(pool)).toMatchObject({ buckets: [7] });
});
