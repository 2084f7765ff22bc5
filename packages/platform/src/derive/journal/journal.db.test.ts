import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { JournalPartitions, journalKept, marksOf, notedEntries, positionName, timeline } from './index.ts';

const { pool, clock, brand, ledger, publish, derive, playerId } = await setupStage();

const payment = (user_id: string, payment_id: string, fields: Record<string, unknown> = {}) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, ...fields }),
});

test('the timeline contains every event of the player, newest first, page by page', async () => {
  const times = Array.from({ length: 7 }, (_, i) => `2026-05-01T10:0${i}:00Z`);
  await publish(...times.map((timestamp) => ({ kind: 'login' as const, body: { user_id: 'line', timestamp } })));
  await derive();
  const player_id = await playerId('line');
  const seen: (number | null)[] = [];
  for (let before: string | undefined; ; ) {
    const page = await timeline(pool, player_id, {}, 3, before);
    seen.push(...page.entries.map((entry) => entry.at));
    if (page.next === null) break;
    before = page.next;
  }
  expect(seen).toEqual(times.map((time) => Date.parse(time) * 1000).reverse());
  expect((await timeline(pool, player_id, {}, 7)).next).toBeNull();
  expect((await timeline(pool, player_id, {}, 6)).next).not.toBeNull();
  expect((await timeline(pool, player_id, { kinds: ['payment'] }, 3)).entries).toEqual([]);
  const [from, to] = [Date.parse('2026-05-01T10:02:00Z') * 1000, Date.parse('2026-05-01T10:04:00Z') * 1000];
  const within = await timeline(pool, player_id, { from, to }, 2);
  expect(within.entries.map((entry) => entry.at)).toEqual([to, to - 60_000_000]);
  const rest = await timeline(pool, player_id, { from, to }, 2, within.next ?? undefined);
  expect(rest).toMatchObject({ entries: [{ at: from }], next: null });
  const [event] = await ledger.at((await timeline(pool, player_id, {}, 1)).entries.map((entry) => entry.position));
  expect(event?.body.toString()).toContain(times.at(-1));
});

test('conflicts, orphans and flagged events are noted; repeats and events flagged only as zone-less are not', async () => {
  await publish(
    payment('noted', '1'),
    payment('noted', '1'),
    payment('noted', '1', { amount: 99 }),
    payment('noted', '2', { status: 'Rejected' }),
    payment('noted', '3', { exchange_rate: 2 }),
    payment('noted', '4', { timestamp: '2026-05-01 11:00:00' }),
  );
  await derive();
  const { entries } = await notedEntries(pool, brand.brand_id, {}, 10);
  const found = entries.map(({ verdict, flags }) => `${verdict} ${flags.join()}`);
  expect(found.sort()).toEqual(['applied rate_not_one', 'conflict ', 'orphan ']);
  expect((await notedEntries(pool, brand.brand_id, { verdict: 'orphan' }, 10)).entries).toHaveLength(1);
  expect((await notedEntries(pool, brand.brand_id, {}, 3)).next).toBeNull();
  expect((await notedEntries(pool, brand.brand_id, {}, 2)).next).not.toBeNull();
  const later = { from: clock.now() + 1 };
  expect((await notedEntries(pool, brand.brand_id, later, 10)).entries).toEqual([]);
});

test('the list of one verdict and kind reads no entries of others', async () => {
  await pool.query(
    `insert into journal select received_at, brand_id, player_id, at, kind, case when n % 1000 = 0 then 4 else 3 end, 4, 7, n, 0
     from (select * from journal limit 1) j, generate_series(1, 20000) n`,
  );
  await pool.query('analyze journal');
  const statements: [text: string, values: unknown[]][] = [];
  const recorded = {
    query(text: string, values: unknown[]) {
      statements.push([text, values]);
      return pool.query(text, values);
    },
  } as unknown as typeof pool;
  const { entries } = await notedEntries(recorded, brand.brand_id, { kinds: ['cart'], verdict: 'orphan' }, 50);
  expect(entries).toEqual([]);
  const [text, values] = statements[0] ?? ['', []];
  const { rows } = await pool.query<{ 'QUERY PLAN': object }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
  expect(plan).toContain('verdict_received_at_kind');
  const read = [...plan.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)];
  expect(read.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(0);
});

test('events of the feed show their verdict', async () => {
  const { events } = await ledger.newest({ brand_id: brand.brand_id }, 2);
  const marks = await marksOf(pool, events);
  expect(events.map(({ position }) => marks.get(positionName(position))?.flags)).toEqual([
    ['zoneless_timestamp'],
    ['rate_not_one'],
  ]);
});

test('a partition can be attached while others read and write the journal', async () => {
  const reader = await pool.connect();
  await reader.query('begin; select count(*) from journal');
  const partitions = new JournalPartitions(pool);
  clock.set(Date.UTC(2027, 0, 1) * 1000);
  await partitions.runOnce(clock.now());
  // Makes two calls at once, as two independent processes do.
  const tomorrow = clock.now() + 10 * 86_400_000_000;
  await Promise.all([partitions.ensure([tomorrow]), new JournalPartitions(pool).ensure([tomorrow])]);
  await publish(payment('line', '9', { timestamp: '2026-12-31T23:59:59Z' }));
  await derive();
  await reader.query('commit');
  reader.release();
  expect((await timeline(pool, await playerId('line'), { kinds: ['payment'] }, 3)).entries).toHaveLength(1);
});

async function waitsForJournal(): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%detach partition%' and pid <> pg_backend_pid()`,
  );
  return rowCount === 1;
}

test('days beyond the retention are dropped; an event of such a day that is applied later leaves no entry', async () => {
  const partitions = new JournalPartitions(pool);
  const retained = async () => (await timeline(pool, await playerId('line'), {}, 200)).entries.length;
  const before = await retained();
  clock.advance(journalKept - 86_400_000_000);
  // A reader of the journal blocks the first worker. The second worker does nothing, because the first does the work.
  const reader = await pool.connect();
  await reader.query('begin; select count(*) from journal');
  const first = partitions.dropOld(clock.now());
  await expect.poll(waitsForJournal).toBe(true);
  expect(await new JournalPartitions(pool).dropOld(clock.now())).toEqual({ dropped: 0 });
  await reader.query('commit');
  reader.release();
  expect(await first).toEqual({ dropped: 1 });
  expect(await retained()).toBe(1);
  expect(before).toBeGreaterThan(1);
  await publish({ ...payment('line', 'late', { timestamp: '2026-05-01T11:00:00Z' }), received_at: noon });
  await derive();
  expect(await retained()).toBe(1);
  clock.advance(3 * 86_400_000_000);
  expect((await partitions.dropOld(clock.now())).dropped).toBeGreaterThan(0);
  expect(await retained()).toBe(0);
});
