import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { testClock } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { testLog } from '../../../../testing/log.ts';
import { change, out, setupWrites, untilState } from '../../../../testing/operator/writeback/setup-writes.ts';
import { readWaitingCalls } from '../../../console/sync/waiting.ts';
import { readCircuits } from './circuit-store.ts';
import { EndpointCircuits } from './circuits.ts';
import { OperatorHealth } from './endpoint-health.ts';

const { pool } = await setupDatabase();
const fail = (circuits: EndpointCircuits, brandId: number, endpoint: 'userdetails' | 'userconsents_write') => {
  for (let n = 0; n < 20; n++) circuits.recordAnswer(brandId, endpoint, { alive: false });
};

test('other processes see the worst of all circuits, and ignore processes that have ended', async () => {
  const { brand } = await createBrand(pool);
  let now = 0;
  const processes = ['worker-a', 'worker-b'].map((process) => {
    const circuits = new EndpointCircuits(() => now);
    return new OperatorHealth({ pool, clock: testClock().now, log: testLog, process, circuits });
  });
  const [a, b] = processes;
  if (!a || !b) throw new Error('two processes');
  const told = async () => {
    for (const process of processes) await process.runOnce();
    return (await readCircuits(pool, brand.brand_id)).map(
      ({ endpoint, state, processes }) => `${endpoint} ${state} ${processes}`,
    );
  };
  expect(await told()).toEqual([]);
  fail(a.circuits, brand.brand_id, 'userdetails');
  b.circuits.recordAnswer(brand.brand_id, 'userdetails', { alive: false, pause_ms: 60_000 });
  expect(await told()).toEqual(['userdetails open 2']);
  now = 2_000;
  expect(await told()).toEqual(['userdetails probing 2']);
  a.circuits.recordAnswer(brand.brand_id, 'userdetails', { alive: true });
  expect(await told()).toEqual(['userdetails paused 1']);
  const [paused] = await readCircuits(pool, brand.brand_id);
  expect(paused).toMatchObject({ open_since: null, next_call_at: expect.any(Number) });
  // b is killed: its report expires after 15 seconds.
  await pool.query(
    `update operator_circuit set reported_at = now() - interval '16 seconds' where process = 'worker-b'`,
  );
  expect(await readCircuits(pool, brand.brand_id)).toEqual([]);
  fail(a.circuits, brand.brand_id, 'userconsents_write');
  await a.runOnce();
  expect((await pool.query('select process from operator_circuit')).rows).toEqual([{ process: 'worker-a' }]);
  await a.stop();
  expect((await pool.query('select process from operator_circuit')).rows).toEqual([]);
});

test('P10: while circuits are open, look-ups and writes keep their place and their tries, and continue with the first probe', async () => {
  const sync = await setupWrites(pool);
  const { brand, operator, worker } = sync;
  const { circuits } = worker.health;
  fail(circuits, brand.brand_id, 'userdetails');
  fail(circuits, brand.brand_id, 'userconsents_write');
  const calls = operator.calls.count();
  await sync.refresh(sync.player_id, ['details']);
  await change(sync, out('Email'));
  await worker.scheduler.runOnce();
  await worker.writer.runOnce();
  expect(operator.calls.count()).toBe(calls);
  expect(await readWaitingCalls(pool, brand.brand_id)).toEqual([
    { endpoint: 'userdetails', due: 1, oldest_due_at: expect.any(Number), retrying: 0, parked: 0 },
    { endpoint: 'userconsents_write', due: 1, oldest_due_at: expect.any(Number), retrying: 0, parked: 0 },
  ]);
  const waiting = await sync.read(sync.player_id);
  expect(waiting.sync.look_ups.details).toMatchObject({ state: 'refreshing', attempts: 0 });
  // The wait of each circuit ends, and its probe succeeds.
  await untilState(sync, 'confirmed');
  await sync.until(sync.player_id, ({ sync: { state } }) => state === 'current');
  expect(circuits.notClosed()).toEqual([]);
});
