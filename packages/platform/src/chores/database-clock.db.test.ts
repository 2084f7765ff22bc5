import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { systemClock } from '../clock.ts';
import { openPool } from '../database/index.ts';
import { readProcessClocks } from './clock-store.ts';
import { DatabaseClock } from './database-clock.ts';

const { pool, url } = await setupDatabase();
const day = 86_400_000_000;

/** A process whose clock the test sets wrong, by microseconds. The database and this machine use the same clock. */
function setup(process: string) {
  const own = { wrongBy: 0 };
  const clock = new DatabaseClock({ pool, log: testLog, process, clock: () => systemClock() + own.wrongBy });
  return { own, clock };
}

test('a clock counts as wrong until it was compared', async () => {
  const { clock } = setup('new');
  expect(clock.isWrong()).toBe(true);
  await clock.start();
  expect(clock.isWrong()).toBe(false);
  await clock.stop();
});

test('a clock that is 500 days ahead is wrong, and `now` returns the time of the database', async () => {
  const { own, clock } = setup('ahead');
  own.wrongBy = 500 * day;
  expect(await clock.runOnce()).toEqual({ agreement: 'wrong' });
  expect(clock.isWrong()).toBe(true);
  for (const now of [clock.now(), clock.agreed()]) expect(Math.abs(now - systemClock())).toBeLessThan(60_000_000);
});

test('a step is detected immediately, before the next comparison', async () => {
  const { own, clock } = setup('stepping');
  await clock.runOnce();
  own.wrongBy = -500 * day;
  expect(clock.isWrong()).toBe(true);
  expect(Math.abs(clock.agreed() - systemClock())).toBeLessThan(60_000_000);
  own.wrongBy = 30_000_000;
  expect(clock.status().agreement).toBe('apart');
  expect(clock.isWrong()).toBe(false);
});

test('each process records its offset, for as long as it runs', async () => {
  const [right, ahead] = [setup('right'), setup('wrong')];
  ahead.own.wrongBy = 600 * day;
  await right.clock.start();
  await ahead.clock.start();
  const noted = await readProcessClocks(pool);
  const offsets = new Map(noted.map(({ process, offset_ms }) => [process, Math.round(Math.abs(offset_ms) / 60_000)]));
  expect(noted[0]?.process).toBe('wrong');
  expect([offsets.get('wrong'), offsets.get('right')]).toEqual([600 * 24 * 60, 0]);
  await ahead.clock.stop();
  expect((await readProcessClocks(pool)).map(({ process }) => process)).not.toContain('wrong');
  await right.clock.stop();
});

test('while the database is unavailable, the last comparison is used', async () => {
  const itsPool = openPool(url, { name: 'clock' });
  const clock = new DatabaseClock({ pool: itsPool, log: testLog, process: 'cut off' });
  await clock.runOnce();
  await itsPool.end();
  await expect(clock.runOnce()).rejects.toThrow();
  expect(clock.isWrong()).toBe(false);
});
