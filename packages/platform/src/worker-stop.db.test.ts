import { expect, test } from 'vitest';
import { setupDatabase } from '../testing/database.ts';
import { testLog } from '../testing/log.ts';
import { change, out, setupWrites } from '../testing/operator/writeback/setup-writes.ts';
import { loadConfig } from './config/index.ts';
import { createWorker } from './wiring/worker.ts';

const { pool, url } = await setupDatabase();

/** Maximum time from SIGTERM to the end of the process (docs/reference/design.md 6). */
const stopLimitMs = 10_000;

test('a worker stops in time while look-ups and writes hang at a slow operator', { timeout: 60_000 }, async () => {
  const sync = await setupWrites(pool, { started: false, settings: { call_timeout_ms: 30_000 } });
  for (const endpoint of ['userdetails', 'userconsents_write'] as const) {
    sync.operator.dials.set(endpoint, { faults: [{ fault: 'timeout', times: 1_000 }] });
  }
  await change(sync, out('Email'));
  const config = await loadConfig({
    CROUPIER_SECRET: 'a secret of 32 characters for tests',
    CROUPIER_ADMIN_TOKEN: 'a token for tests',
  });
  const worker = createWorker({ config, databaseUrl: url, log: testLog, name: 'worker-stop' });
  await worker.start();
  const called = () => new Set(sync.operator.calls.list().map(({ endpoint }) => endpoint));
  await expect.poll(() => called().has('userdetails') && called().has('userconsents_write')).toBe(true);
  const began = performance.now();
  await worker.stop();
  expect(performance.now() - began).toBeLessThan(stopLimitMs);
  const claimed = 'select (select count(*) from player_sync where claim is not null) as look_ups';
  expect((await pool.query(claimed)).rows).toEqual([{ look_ups: 0 }]);
});
