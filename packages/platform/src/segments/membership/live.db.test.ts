import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { readFailingBuckets } from './live/bucket-failures.ts';
import { retryAfter } from './live/lane.ts';
import { listFailingPlayers } from './live/player-failures.ts';

const { brand, publish, derive, follow, segment, members, transitions, clock, pool } = await setupSegments();

const moment = (text: string) => Date.parse(text) * 1000;
const deposit = (user_id: string, payment_id: string, timestamp: string, amount = 10) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp, amount }),
});
const and = (...rules: Rule['rules']): Rule => ({ combinator: 'and', rules });

test('a player enters by an event within one round and leaves when time passes, and each transition has its cause', async () => {
  clock.set(moment('2026-05-01T12:00:00Z'));
  await publish(deposit('ann', 'p0', '2026-05-01T11:59:00Z'));
  await derive();
  await segment('depositors', and({ field: 'trait.deposit_count_7d', operator: '>=', value: 2 }));
  expect(await members('depositors')).toEqual([]);

  await publish(deposit('ann', 'p1', '2026-05-01T11:59:30Z'));
  await derive();
  await follow();
  expect(await members('depositors')).toEqual(['ann']);
  const [entered] = await transitions('depositors');
  expect(entered).toMatchObject({ user_id: 'ann', transition: 'entered', silent: false, version: 1 });
  expect(entered?.cause).toMatchObject({ type: 'event', kind: 'payment' });

  // At midnight of the seventh day both events are outside of the window.
  clock.set(moment('2026-05-07T23:59:59Z'));
  await follow();
  expect(await members('depositors')).toEqual(['ann']);
  clock.set(moment('2026-05-08T00:00:00Z'));
  await follow();
  expect(await members('depositors')).toEqual([]);
  expect((await transitions('depositors')).at(-1)).toMatchObject({ transition: 'left', cause: { type: 'time' } });
});

test('an event of a kind that no rule uses leaves no work', async () => {
  await publish({ kind: 'login', body: { user_id: 'ann', timestamp: '2026-05-07T21:00:00Z' } });
  await derive();
  const { rows } = await pool.query('select count(*)::int as n from segment_news');
  expect(rows[0]).toEqual({ n: 0 });
});

test('a new player enters because of the event that the rule reads, even if another event is later', async () => {
  clock.set(moment('2026-05-09T11:00:00Z'));
  await segment('payers', and({ field: 'trait.deposit_count', operator: '>=', value: 1 }));
  await publish(deposit('bea', 'p-bea', '2026-05-09T10:58:00Z'));
  await publish({ kind: 'login', body: { user_id: 'bea', timestamp: '2026-05-09T10:59:00Z' } });
  await derive();
  await follow();
  const [entered] = (await transitions('payers')).filter(({ user_id }) => user_id === 'bea');
  expect(entered).toMatchObject({ transition: 'entered', cause: { type: 'event', kind: 'payment' } });
});

test('news that keeps failing delays only its player, who is tried again later', async () => {
  clock.set(moment('2026-05-09T12:00:00Z'));
  const names = Array.from({ length: 8 }, (_, n) => `depositor-${n}`);
  await segment('beginners', and({ field: 'trait.deposit_count', operator: '>=', value: 1 }));
  for (const name of names) await publish(deposit(name, `p-${name}`, '2026-05-09T11:59:00Z'));
  await derive();
  await pool.query(
    `insert into segment_news (player_id, brand_id, causes) select player_id, brand_id, 'null' from player where user_id = 'depositor-0'`,
  );
  await follow();
  const healthy = await members('beginners');
  expect(healthy).toEqual(expect.arrayContaining(names.slice(1)));
  expect(healthy).not.toContain('depositor-0');
  expect(await listFailingPlayers(pool, brand.brand_id, { limit: 10 })).toMatchObject([
    { user_id: 'depositor-0', since: clock.now(), failures: 1, reason: expect.stringContaining('cannot be processed') },
  ]);

  await pool.query(`delete from segment_news where causes = 'null'`);
  clock.advance(retryAfter);
  await follow();
  expect(await members('beginners')).toEqual(expect.arrayContaining(names));
  expect(await listFailingPlayers(pool, brand.brand_id, { limit: 10 })).toEqual([]);
});

test('an error that is not about the data of a player delays only its own bucket, which is tried again later', async () => {
  await publish(deposit('depositor-9', 'p-9', '2026-05-09T11:59:00Z'));
  await derive();
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin
       raise exception 'no memory' using errcode = '55006';
     end $$;
     create trigger refuse before insert on segment_member for each row execute function refuse()`,
  );
  await follow();
  expect(await readFailingBuckets(pool)).toMatchObject({ since: clock.now(), reason: 'no memory' });
  expect((await readFailingBuckets(pool)).buckets).toHaveLength(1);
  expect(await listFailingPlayers(pool, brand.brand_id, { limit: 10 })).toEqual([]);
  await pool.query('drop trigger refuse on segment_member; drop function refuse()');
  clock.advance(retryAfter);
  await follow();
  expect(await members('beginners')).toContain('depositor-9');
  expect(await readFailingBuckets(pool)).toEqual({ buckets: [], since: null, reason: null });
});
