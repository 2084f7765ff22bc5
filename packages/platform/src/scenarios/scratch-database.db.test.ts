import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { setupScratch } from '../../testing/scenarios/scratch.ts';
import { scratchUrl } from './index.ts';

const { url } = await setupDatabase();
const [first, second, third] = [setupScratch(url), setupScratch(url), setupScratch(url)];
const scenario = {
  name: 'a tag',
  campaigns: [{ code: 'c', name: 'C', entry: { event: 'login' }, steps: [{ id: 't', tag: 'here' }] }],
  brand: { code: 'malta' },
  steps: [{ event: 'login' }],
};
const outcomesOf = ({ lines }: Awaited<ReturnType<typeof first.run>>) =>
  lines.flatMap((line) => (line.kind === 'came' ? [line.entry.outcome] : []));
const outcomes = ['entered', 'tagged', 'done'];

test('the first scenario creates the database; two processes take turns using it, with a brand of the same code', async () => {
  const [one, other] = await Promise.all([first.run(scenario), first.run(scenario)]);
  expect([outcomesOf(one), outcomesOf(other)]).toEqual([outcomes, outcomes]);
  const together = await Promise.all([first, second, first, second].map((runner) => runner.run(scenario)));
  expect(together.map(outcomesOf)).toEqual([outcomes, outcomes, outcomes, outcomes]);
});

test('a stop does not wait for a scenario', async () => {
  const client = new pg.Client({ connectionString: scratchUrl(url).href });
  await client.connect();
  try {
    // The scenario waits for this lock, so it takes as long as a long scenario.
    await client.query('begin; lock table player');
    const failed = expect(second.run(scenario)).rejects.toThrow();
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'relation'";
    await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1);
    const stopped = second.stop().then(() => 'stopped');
    expect(await Promise.race([stopped, delay(3_000, 'still stopping', { ref: false })])).toBe('stopped');
    await failed;
  } finally {
    await client.end();
  }
  expect(outcomesOf(await first.run(scenario))).toEqual(outcomes);
});

test('a database that an earlier version of the platform created is created again', async () => {
  await Promise.all([first.stop(), second.stop()]);
  const client = new pg.Client({ connectionString: scratchUrl(url).href });
  await client.connect();
  await client.query(`update schema_migration set sha256 = 'of another form'`).finally(() => client.end());
  expect(outcomesOf(await third.run(scenario))).toEqual(outcomes);
});
