import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { awaitAll, transaction } from './index.ts';

const { pool } = await setupDatabase();

test('statements that are passed together run in order, and their results are in the same order', async () => {
  const answers = await transaction(pool, (tx) =>
    awaitAll([
      tx.query('create temporary table noted (number int) on commit drop'),
      tx.query('insert into noted values (1), (2)'),
      tx.query('select sum(number)::int as sum from noted'),
      undefined,
    ]),
  );
  expect(answers[2].rows).toEqual([{ sum: 3 }]);
  expect(answers[3]).toBeUndefined();
});

test('if one failure causes others, the first one is thrown, after all statements have ended', async () => {
  const ended: string[] = [];
  const noted = (name: string, statement: Promise<unknown>) => statement.finally(() => ended.push(name));
  const failing = transaction(pool, (tx) =>
    awaitAll([
      noted('first', tx.query('select 1')),
      noted('broken', tx.query('select 1 / 0')),
      noted('later', tx.query('select 2')),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(ended).toEqual(['first', 'broken', 'later']);
});

test('if one of several statements fails, none of them writes anything', async () => {
  await pool.query('create table written (number int)');
  const failing = transaction(pool, (tx) =>
    awaitAll([
      tx.query('insert into written values (1)'),
      tx.query('select 1 / 0'),
      tx.query('insert into written values (2)'),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect((await pool.query('select from written')).rowCount).toBe(0);
});

test('the transaction can still be used after a failure behind a savepoint', async () => {
  const rows = await transaction(pool, async (tx) => {
    await tx.query('savepoint part');
    await awaitAll([tx.query('select 1 / 0'), tx.query('select 1')]).catch(() =>
      tx.query('rollback to savepoint part'),
    );
    return (await tx.query('select 5 as five')).rows;
  });
  expect(rows).toEqual([{ five: 5 }]);
});
