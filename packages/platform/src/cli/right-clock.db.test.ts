import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { DatabaseClock } from '../chores/index.ts';
import { systemClock } from '../clock.ts';
import { withRightClock } from './right-clock.ts';

const { pool } = await setupDatabase();
const day = 86_400_000_000;

function commandAt(wrongBy: number) {
  const databaseClock = new DatabaseClock({ pool, log: testLog, process: 'cli', clock: () => systemClock() + wrongBy });
  return { databaseClock };
}

test.each([
  ['ahead of', 500 * day],
  ['behind', -500 * day],
])('a command whose clock is 500 days %s the database clock does nothing, and reports it', async (where, wrongBy) => {
  const run = vi.fn();
  await expect(withRightClock(commandAt(wrongBy), run)).rejects.toThrow(`43200000 s ${where} the database clock`);
  expect(run).not.toHaveBeenCalled();
});

test.each(['erase', 'rebuild', 'reconcile', 'resync', 'segment'])('with a wrong clock, %s starts nothing', (name) => {
  const text = readFileSync(path.join(import.meta.dirname, `${name}.ts`), 'utf8');
  expect(text).toContain('withRightClock(');
});

test('a command with a correct clock runs, and leaves no record of its clock', async () => {
  expect(await withRightClock(commandAt(0), async () => 'done')).toBe('done');
  const { rows } = await pool.query('select process from process_clock');
  expect(rows).toEqual([]);
});
