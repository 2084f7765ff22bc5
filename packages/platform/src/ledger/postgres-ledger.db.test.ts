import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { entryOf, numberOf, readAll, start, startOf } from '../../testing/ledger/entries.ts';
import { ledgerConformance } from '../../testing/ledger/ledger.conformance.ts';
import { setupLedgers } from '../../testing/ledger/postgres-stage.ts';
import { testLog } from '../../testing/log.ts';
import { DatabaseClock } from '../chores/index.ts';
import { connectionConfig } from '../database/index.ts';
import { toCursor } from './cursor.ts';
import { playerHash } from './player-hash.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import { closeGoneWriters } from './store.ts';

const { pool, url, make } = await setupLedgers();
const day = 86_400_000_000;

async function emptyLedger({ now }: { now?: () => number } = {}): Promise<PostgresLedger> {
  const { ledger, ledgerAt } = await make();
  return now === undefined ? ledger : ledgerAt(now);
}

/** Another session of the server; it ends with the test. */
async function session(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(connectionConfig(url, { name: 'another session' }));
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

describe('the ledger in PostgreSQL', () => {
  ledgerConformance(make);

  test('a slow writer and an unrelated writing transaction neither hide nor delay the events of others', async () => {
    const ledger = await emptyLedger();
    const slow = await ledger.openWriter();
    const quick = await ledger.openWriter();
    await quick.append([entryOf('u-1', 1)]);
    await using unrelated = await session();
    await unrelated.query('begin; create table unrelated (x int); insert into unrelated values (1)');
    // The slow writer's insert conflicts with this uncommitted row of the same key, and waits in the middle of its
    // transaction.
    await using blocker = await session();
    await blocker.query('begin');
    await blocker.query(
      `insert into ledger_block
       select min(writer_id), 1, '2026-05-01', now(), 0, 0, '{}', '' from ledger_writer`,
    );
    const slowAppend = slow.append([entryOf('u-2', 2)]);
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select 1 from pg_stat_activity where application_name = 'croupier test ledger' and wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBe(1);
    await quick.append([entryOf('u-3', 3)]);
    const first = await readAll(ledger, startOf(ledger), 10);
    expect(first.events.map(numberOf)).toEqual([1, 3]);
    await blocker.query('rollback');
    await slowAppend;
    const second = await readAll(ledger, first.cursors, 10);
    expect(second.events.map(numberOf)).toEqual([2]);
    await unrelated.query('rollback');
    await slow.close();
    await quick.close();
  });

  test('continues after midnight while another session has an open transaction on the ledger', async () => {
    let now = start + day - 1_000_000;
    const ledger = await emptyLedger({ now: () => now });
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 1)]);
    await using dump = await session();
    await dump.query('begin isolation level repeatable read');
    await dump.query('select count(*) from ledger_block');
    now += 2_000_000;
    await writer.append([entryOf('u-2', 2)]);
    now -= 10_000_000;
    await writer.append([entryOf('u-3', 3)]);
    expect((await readAll(ledger, startOf(ledger), 1)).events.map(numberOf)).toEqual([1, 2, 3]);
    await dump.query('rollback');
    await writer.close();
  });

  test('closes only writers whose connection is gone, and cursors forget them', async () => {
    const ledger = await emptyLedger();
    const [gone, alive] = [await ledger.openWriter(), await ledger.openWriter()];
    await gone.append([entryOf('u-1', 1)]);
    await alive.append([entryOf('u-2', 2)]);
    const before = await readAll(ledger, startOf(ledger), 10);
    expect(await closeGoneWriters(pool)).toBe(0);
    await gone.close();
    await expect.poll(() => closeGoneWriters(pool)).toBe(1);
    const again = new PostgresLedger({
      pool,
      connection: {},
      process: 'reader',
      now: () => start,
      log: testLog,
      ready: async () => {},
    });
    const after = await readAll(again, before.cursors, 10);
    expect(after.events).toEqual([]);
    const cursor = JSON.stringify(after.cursors.get(0));
    expect(JSON.parse(cursor)).toMatchObject({ floor: expect.any(Number), at: expect.any(Object) });
    expect(Object.keys((JSON.parse(cursor) as { at: object }).at)).toHaveLength(1);
    await alive.append([entryOf('u-3', 3)]);
    expect((await readAll(again, after.cursors, 10)).events.map(numberOf)).toEqual([3]);
    await alive.close();
  });

  test('skips nothing if the writers were listed before a lagging bucket joined', async () => {
    const ledger = await emptyLedger();
    const first = await ledger.openWriter();
    for (let i = 0; i < 20; i++) await first.append([entryOf(`u-${i}`, i)]);
    await first.close();
    await (await ledger.openWriter()).close();
    await expect.poll(() => closeGoneWriters(pool)).toBe(2);
    const { rows } = await pool.query<{ id: number }>('select min(writer_id)::int as id from ledger_writer');
    const ahead = toCursor({ floor: rows[0]?.id ?? 0, at: {} });
    await ledger.read(new Map([[0, ahead]]), 100);
    const all = new Map([...startOf(ledger)].map(([bucket, cursor]) => [bucket, bucket === 0 ? ahead : cursor]));
    const { events } = await readAll(ledger, all, 4);
    const own = Array.from({ length: 20 }, (_, i) => entryOf(`u-${i}`, i)).filter(
      ({ player_hash }) => player_hash % 64n !== 0n,
    );
    expect(events.map(numberOf).sort((a, b) => a - b)).toEqual(own.map(numberOf));
  });

  test('a list of the newest events fetches little more than it shows, however large the blocks are', async () => {
    const { ledger } = await make();
    const writer = await ledger.openWriter();
    for (let i = 0; i < 100; i++) {
      // Random, so that it takes as much space in the block.
      const body = Buffer.from(
        JSON.stringify({ user_id: `u-${i}`, number: i, filling: randomBytes(50_000).toString('hex') }),
      );
      await writer.append([{ ...entryOf(`u-${i}`, i), body }]);
    }
    let fetched = 0;
    const listening = {
      async connect() {
        const client = await pool.connect();
        const query = client.query.bind(client) as unknown as (...given: unknown[]) => Promise<pg.QueryResult>;
        const count = async (...given: unknown[]) => {
          const result = await query(...given);
          for (const row of result.rows ?? []) fetched += (row as { payload?: Buffer }).payload?.length ?? 0;
          return result;
        };
        return Object.assign(Object.create(client), { query: count, release: () => client.release() });
      },
      query: pool.query.bind(pool),
    } as unknown as pg.Pool;
    const connection = connectionConfig(url, { name: 'test' });
    const listened = new PostgresLedger({
      pool: listening,
      connection,
      process: 'test',
      now: () => start,
      log: testLog,
      ready: async () => {},
    });
    expect((await listened.newest({}, 3)).events.map(numberOf)).toEqual([99, 98, 97]);
    expect(fetched).toBeGreaterThan(100_000);
    expect(fetched).toBeLessThan(1_000_000);
    // A search that finds nothing at first continues with larger pages.
    expect((await listened.newest({ player_hash: playerHash(1, 'u-0') }, 3)).events.map(numberOf)).toEqual([0]);
    await writer.close();
  });

  test('skips and records an unreadable block, and returns the events of all others', async () => {
    const ledger = await emptyLedger();
    const writer = await ledger.openWriter();
    for (let i = 0; i < 3; i++) await writer.append([entryOf(`u-${i}`, i)]);
    await pool.query(`update ledger_block set payload = '\\x07ff' where seq = 2`);
    expect((await readAll(ledger, startOf(ledger), 10)).events.map(numberOf)).toEqual([0, 2]);
    expect((await ledger.newest({}, 10)).events.map(numberOf)).toEqual([2, 0]);
    expect((await pool.query('select seq, event_count, reason from ledger_damage')).rows).toEqual([
      { seq: 2, event_count: 1, reason: 'unknown block format 7' },
    ]);
    await writer.close();
  });

  test('a process whose clock is wrong and not compared yet opens no writer, and stores nothing in a wrong day', async () => {
    const clock = new DatabaseClock({ pool, log: testLog, process: 'ahead', clock: () => start + 500 * day });
    const ledger = new PostgresLedger({
      pool,
      connection: connectionConfig(url, { name: 'ahead' }),
      process: 'ahead',
      now: clock.agreed,
      log: testLog,
      ready: () => clock.compared(),
    });
    const writer = await ledger.openWriter();
    await writer.append([entryOf('ahead', 1)]);
    await writer.close();
    const { rows } = await pool.query(
      `select max(day) - (select clock_timestamp()::date) as days_ahead from ledger_block
        where writer_id = (select max(writer_id) from ledger_writer where process = 'ahead')`,
    );
    expect(Math.abs(rows[0].days_ahead)).toBeLessThanOrEqual(1);
    const later = new PostgresLedger({
      pool,
      connection: connectionConfig(url, { name: 'ahead' }),
      process: 'ahead',
      now: clock.agreed,
      log: testLog,
      ready: () => Promise.reject(new Error('the database cannot be asked')),
    });
    await expect(later.openWriter()).rejects.toThrow('cannot be asked');
  });

  test('a writer whose connection is cut refuses further appends, and the next writer continues', async () => {
    const ledger = await emptyLedger();
    const writer = await ledger.openWriter();
    await writer.append([entryOf('u-1', 1)]);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'croupier test ledger'`,
    );
    await expect(writer.append([entryOf('u-2', 2)])).rejects.toThrow('the ledger is unavailable');
    await expect(writer.append([entryOf('u-2', 2)])).rejects.toThrow('the ledger is unavailable');
    const next = await ledger.openWriter();
    await next.append([entryOf('u-3', 3)]);
    expect((await readAll(ledger, startOf(ledger), 10)).events.map(numberOf)).toEqual([1, 3]);
    await next.close();
  });
});
