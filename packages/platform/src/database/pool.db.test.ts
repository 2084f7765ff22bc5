import { execFileSync } from 'node:child_process';
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { awaitAll, openPool, transaction } from './index.ts';

const { pool, url } = await setupDatabase();

beforeAll(() => pool.query('create table entry (n int primary key)'));
afterEach(() => pool.query('truncate entry'));

const endConnections = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.argv[1] });
  await client.connect();
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1', [process.argv[2]]);
  await client.end();
`;

const entries = async () => (await pool.query('select n from entry order by n')).rows.map((row) => row.n);

describe('a pool for look-ups by key', () => {
  const preparedIn = async (one: pg.Pool) =>
    (await one.query(`select statement from pg_prepared_statements where name like 'auto%'`)).rows.map(
      ({ statement }) => statement,
    );

  test('prepares the statements that run often, and no others', async () => {
    const one = openPool(url, { name: 'test one', max: 1, byKey: true });
    for (let i = 0; i < 6; i++) {
      const { rows } = await one.query('select n + $1::int as sum from unnest($2::int[]) n', [i, [1, 2]]);
      expect(rows).toEqual([{ sum: 1 + i }, { sum: 2 + i }]);
      await one.query(`select ${i}, $1::int`, [i]);
    }
    expect(await preparedIn(one)).toEqual(['select n + $1::int as sum from unnest($2::int[]) n']);
    await one.end();
  });

  test('runs a prepared statement again after it failed, and after its transaction did', async () => {
    const one = openPool(url, { name: 'test one', max: 1, byKey: true });
    const divide = (tx: { query: pg.Pool['query'] }, by: number) => tx.query('select 6 / $1::int as result', [by]);
    for (let i = 0; i < 4; i++) await divide(one, 1);
    const failing = transaction(one, (tx) => awaitAll([divide(tx, 0), divide(tx, 2)]));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect((await divide(one, 3)).rows).toEqual([{ result: 2 }]);
    expect(await preparedIn(one)).toHaveLength(1);
    await one.end();
  });
});

describe('a transaction', () => {
  test('is committed as a whole, and returns the result of its work', async () => {
    const result = await transaction(pool, async (tx) => {
      await tx.query('insert into entry values (1)');
      await tx.query('insert into entry values (2)');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await entries()).toEqual([1, 2]);
  });

  test('is rolled back if its work throws, and the connection can be used again', async () => {
    const one = openPool(url, { name: 'test one', max: 1 });
    const failing = transaction(one, async (tx) => {
      await tx.query('insert into entry values (1)');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await transaction(one, (tx) => tx.query('insert into entry values (2)'));
    await one.end();
    expect(await entries()).toEqual([2]);
  });

  test('fails if its connection is cut, and the next one gets a new connection', async () => {
    const one = openPool(url, { name: 'test cut', max: 1, log: testLog });
    const cut = transaction(one, async (tx) => {
      const { rows } = await tx.query('select pg_backend_pid() as pid');
      await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
      await tx.query('insert into entry values (1)');
    });
    await expect(cut).rejects.toThrow();
    await transaction(one, (tx) => tx.query('insert into entry values (2)'));
    await one.end();
    expect(await entries()).toEqual([2]);
  });
});

describe('a pool', () => {
  test('cancels a statement that runs too long', async () => {
    const slow = openPool(url, { name: 'test slow', statementTimeoutMs: 50 });
    await expect(slow.query('select pg_sleep(5)')).rejects.toThrow('statement timeout');
    await slow.end();
  });

  test('fails instead of waiting forever for a connection', async () => {
    const full = openPool(url, { name: 'test full', max: 1, connectTimeoutMs: 1_000 });
    const held = await full.connect();
    await expect(full.query('select 1')).rejects.toThrow('timeout');
    held.release();
    await full.end();
  });

  test('survives the loss of a connection between two users, even if a suspended process notices the loss late', async () => {
    const name = 'test stood still';
    const one = openPool(url, { name, max: 1, log: testLog });
    await one.query('select 1');
    const first = one.query('select 1 as one from pg_sleep(0.05)');
    const second = transaction(one, (tx) => tx.query('select 2'));
    // The first turn gives the statement to the connection, which sends all statements of a turn at its end (client.ts).
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    // Blocks until the answer and the end of the connection are both waiting.
    execFileSync(process.execPath, ['--input-type=module', '--eval', endConnections, url, `croupier ${name}`]);
    expect((await first).rows).toEqual([{ one: 1 }]);
    await expect(second).rejects.toThrow();
    await transaction(one, (tx) => tx.query('insert into entry values (1)'));
    await one.end();
    expect(await entries()).toEqual([1]);
  });

  test('survives the loss of an idle connection', async () => {
    const idle = openPool(url, { name: 'test idle', max: 1, log: testLog });
    const { rows } = await idle.query('select pg_backend_pid() as pid');
    const lost = new Promise((resolve) => idle.once('error', resolve));
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await lost;
    expect((await idle.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await idle.end();
  });
});
