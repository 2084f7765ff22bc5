import { startSandboxOperator } from '@croupier/sandbox';
import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { insertPlayer, makeWorker, setupSync } from '../../../../testing/operator/setup-sync.ts';
import type { LookUp } from '../../judging/judgment.ts';

const { pool } = await setupDatabase();

/*
 * P10: an operator or an endpoint that fails affects no other. Two brands share one worker; the healthy operator answers in
 * 20 ms. The test is small, so that it runs with every `npm test`. Its limits allow for a busy machine: a call that had to
 * wait for another call's timeout would wait for five seconds here.
 */
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const samples = 40;
const timeoutMs = 5_000;
const roomMs = timeoutMs / 5;

async function twoBrands() {
  const healthy = await setupSync(pool, { started: false });
  healthy.operator.dials.set('*', { delay_ms: 20 });
  const troubled = await startSandboxOperator({ auth });
  const settings = { base_url: troubled.url, auth, call_timeout_ms: timeoutMs, connect_timeout_ms: timeoutMs };
  const { brand } = await createBrand(pool, { operator: settings });
  const worker = makeWorker(pool, [healthy.brand, brand], 0);
  return { healthy, troubled, brand, worker, stop: () => worker.stop().then(() => troubled.stop()) };
}

/** Milliseconds from request to answer for players of the healthy operator, one after the other. */
async function latencies(setup: Awaited<ReturnType<typeof twoBrands>>, name: string): Promise<number[]> {
  const { healthy, worker } = setup;
  const times: number[] = [];
  for (let n = 0; n < samples; n++) {
    const player = await healthy.addPlayer(`${name}-${n}`);
    const started = performance.now();
    await healthy.refresh(player);
    worker.scheduler.wake();
    await healthy.until(player, ({ sync }) => sync.state === 'current');
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? Number.NaN;

async function makeDue(brandId: number, count: number, lookUp: LookUp | null): Promise<void> {
  await pool.query(
    `with made as (insert into player (brand_id, user_id, bucket)
                   select $1, 'due-' || n, 0 from generate_series(1, $2) n returning player_id)
     insert into player_sync (player_id, look_up, brand_id, lane, due_at)
     select player_id, look_up, $1, 0, now() from made, unnest($3::text[]) look_up`,
    [brandId, count, lookUp ? [lookUp] : ['details', 'consents', 'blocks']],
  );
}

test('an operator whose calls all time out, with 10,000 due look-ups, delays no other operator', async () => {
  const setup = await twoBrands();
  await setup.worker.start();
  await latencies(setup, 'warm');
  const before = await latencies(setup, 'before');
  setup.troubled.dials.set('*', { faults: [{ fault: 'timeout' }] });
  await makeDue(setup.brand.brand_id, 3_334, null);
  const during = await latencies(setup, 'during');
  expect(setup.troubled.calls.count()).toBeGreaterThan(0);
  expect(median(during)).toBeLessThan(median(before) + roomMs);
  await setup.stop();
}, 60_000);

test('an operator that refuses connections gets only probes, and all players are served once it recovers', async () => {
  const setup = await twoBrands();
  const { port } = setup.troubled;
  await setup.troubled.stop();
  await setup.worker.start();
  await makeDue(setup.brand.brand_id, 300, null);
  await latencies(setup, 'meanwhile');
  const { rows } = await pool.query<{ tried: number }>(
    'select count(*)::int as tried from player_sync where brand_id = $1 and attempts > 0',
    [setup.brand.brand_id],
  );
  // 20 consecutive failures open the circuit; the rest of the 300 players have not been tried.
  expect(rows[0]?.tried).toBeLessThan(200);

  const back = await startSandboxOperator({ auth, port, population: { prefix: 'due-', count: 301 } });
  await expect
    .poll(
      async () => {
        const left = await pool.query('select from player_sync where brand_id = $1 and requested > done', [
          setup.brand.brand_id,
        ]);
        return left.rowCount;
      },
      { timeout: 40_000, interval: 50 },
    )
    .toBe(0);
  await setup.worker.stop();
  await back.stop();
}, 60_000);

test('an endpoint that hangs does not delay the other endpoints of its operator', async () => {
  const setup = await twoBrands();
  const { operator, brand, addPlayer, refresh, until } = setup.healthy;
  await setup.worker.start();
  operator.dials.set('userconsents', { faults: [{ fault: 'timeout' }] });
  await makeDue(brand.brand_id, 500, 'consents');
  const player = await addPlayer('ann');
  await operator.calls.next((call) => call.endpoint === 'userconsents');
  await refresh(player);
  setup.worker.scheduler.wake();
  await until(
    player,
    ({ sync: { look_ups } }) => look_ups.details.state === 'current' && look_ups.blocks.state === 'current',
  );
  // None of the calls that hang has ended yet.
  const ended = await pool.query('select from player_sync where brand_id = $1 and attempts > 0', [brand.brand_id]);
  expect(ended.rowCount).toBe(0);
  await setup.stop();
}, 60_000);

test('a background re-synchronization does not delay a live event', async () => {
  const setup = await twoBrands();
  const { brand } = setup.healthy;
  await insertPlayer(pool, brand.brand_id, 'x');
  await makeDue(brand.brand_id, 2_000, null);
  await pool.query('update player_sync set lane = 1 where brand_id = $1', [brand.brand_id]);
  await setup.worker.start();
  const during = await latencies(setup, 'now');
  expect(median(during)).toBeLessThan(1_000);
  const { rows } = await pool.query<{ done: number }>(
    'select count(*)::int as done from player_sync where brand_id = $1 and lane = 1 and attempts > 0',
    [brand.brand_id],
  );
  expect(rows[0]?.done).toBeGreaterThan(0);
  await setup.stop();
}, 60_000);
