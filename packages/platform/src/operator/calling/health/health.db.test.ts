import { expect, onTestFinished, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { noon, testClock } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { testLog } from '../../../../testing/log.ts';
import { isCurrent, setupSync } from '../../../../testing/operator/setup-sync.ts';
import { OperatorHealth } from './endpoint-health.ts';
import { readEndpoints } from './health-store.ts';
import { latencyBucket, latencyBuckets, latencyQuantile } from './latency.ts';

const { pool } = await setupDatabase();
const second = 1_000_000;

async function setup() {
  const { brand } = await createBrand(pool);
  const clock = testClock();
  const workers = [1, 2].map(() => new OperatorHealth({ pool, clock: clock.now, log: testLog }));
  const [first, other] = workers;
  if (!first || !other) throw new Error('two workers');
  const call = { brand_id: brand.brand_id, endpoint: 'userdetails', took_ms: 20, authenticated: true } as const;
  const bad = { ...call, took_ms: 10_000, authenticated: false, failure: { reason: 'timeout', detail: 'too long' } };
  const read = async () => (await readEndpoints(pool, brand.brand_id, noon - 3_600 * second))[0];
  return { brand, clock, first, other, call, bad, read };
}

test('counts of several workers are added; a success ends a series of failures', async () => {
  const { clock, first, other, call, bad, read } = await setup();
  first.record(call);
  other.record(bad);
  await first.runOnce();
  clock.advance(second);
  other.record(bad);
  await other.runOnce();
  expect(await read()).toMatchObject({
    endpoint: 'userdetails',
    successes: 1,
    failures: 2,
    failures_in_a_row: 2,
    failing_since: noon,
    last_success_at: noon,
    last_failure_at: noon + second,
    last_failure: 'timeout',
    last_failure_detail: 'too long',
    last_authenticated_at: noon,
    recent: { successes: 1, failures: 2 },
  });
  clock.advance(second);
  first.record(call);
  await first.runOnce();
  expect(await read()).toMatchObject({
    failures_in_a_row: 0,
    failing_since: null,
    last_failure: 'timeout',
    successes: 2,
  });
});

test('a series of failures spans minutes and flushes, and keeps its start', async () => {
  const { clock, first, bad, read } = await setup();
  for (let n = 0; n < 3; n++) {
    first.record(bad);
    clock.advance(45 * second);
    if (n === 1) await first.runOnce();
  }
  await first.runOnce();
  expect(await read()).toMatchObject({ failures: 3, failures_in_a_row: 3, failing_since: noon });
});

test('counts that could not be stored are kept and added to the next ones', async () => {
  const { brand, clock, call, bad, read } = await setup();
  let away = true;
  const flaky = new Proxy(pool, {
    get: (target, name) =>
      away && name === 'connect' ? () => Promise.reject(new Error('away')) : Reflect.get(target, name),
  });
  const health = new OperatorHealth({ pool: flaky, clock: clock.now, log: testLog });
  health.record(bad);
  await expect(health.runOnce()).rejects.toThrow('away');
  health.record(bad);
  away = false;
  await health.runOnce();
  expect(await read()).toMatchObject({ brand_id: brand.brand_id, failures: 2, failures_in_a_row: 2 });
  health.record(call);
  await health.runOnce();
  expect((await read())?.recent.latency.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test('a detail is stored without NUL and half surrogate pairs', async () => {
  const { first, bad, read } = await setup();
  first.record({ ...bad, failure: { reason: 'not_json', detail: `${'x'.repeat(299)}\u{1f600}` } });
  await first.runOnce();
  expect((await read())?.last_failure_detail).toBe(`${'x'.repeat(299)}\ufffd`);
  first.record({ ...bad, failure: { reason: 'not_json', detail: 'NUL \u0000' } });
  await first.runOnce();
  expect(await read()).toMatchObject({ failures: 2, last_failure_detail: 'NUL ' });
});

test('a refused row loses its detail, or is left out, and other counts are stored', async () => {
  const [one, other, worst] = [await setup(), await setup(), await setup()];
  await pool.query(
    `alter table operator_endpoint
       add constraint no_bad_detail check (last_failure_detail <> 'bad'),
       add constraint not_the_worst check (brand_id <> ${worst.brand.brand_id})`,
  );
  onTestFinished(async () => {
    await pool.query('alter table operator_endpoint drop constraint no_bad_detail, drop constraint not_the_worst');
  });
  one.first.record({ ...one.bad, failure: { reason: 'timeout', detail: 'bad' } });
  one.first.record(other.bad);
  one.first.record(worst.bad);
  expect(await one.first.runOnce()).toMatchObject({ stored: 2 });
  const refused = 'the database refused the values';
  expect(await one.read()).toMatchObject({ failures: 1, last_failure: 'timeout', last_failure_detail: refused });
  expect(await other.read()).toMatchObject({ failures: 1, last_failure_detail: 'too long' });
  expect(await worst.read()).toBeUndefined();
  expect(await one.first.runOnce()).toMatchObject({ stored: 0 });
});

test('minutes older than a week are deleted', async () => {
  const { brand, clock, first, other, call } = await setup();
  first.record(call);
  await first.runOnce();
  clock.advance(8 * 24 * 3_600 * second);
  expect((await other.runOnce()).dropped).toBeGreaterThanOrEqual(1);
  const { rows } = await pool.query('select from operator_endpoint_minute where brand_id = $1', [brand.brand_id]);
  expect(rows).toEqual([]);
});

test('look-ups are counted: answers, failures, and token requests separately', async () => {
  const auth = { type: 'oauth2', client_id: 'crm', client_secret: 'secret' } as const;
  const setup = await setupSync(pool, { operator: { auth }, started: false });
  if (setup.brand.operator === null) throw new Error('no operator');
  setup.brand.operator.auth = { ...auth, token_url: setup.operator.tokenUrl };
  await setup.worker.start();
  const known = await setup.addPlayer('ann');
  const unknown = await setup.addPlayer('ghost', { unknownToOperator: true });
  setup.operator.dials.set('userblocks', { faults: [{ fault: 'status', status: 503 }] });
  await setup.refresh(known);
  await setup.refresh(unknown);
  await setup.until(
    known,
    ({ sync }) => sync.look_ups.blocks.attempts > 0 && sync.look_ups.consents.state === 'current',
  );
  await setup.until(unknown, ({ sync }) => Object.values(sync.look_ups).every(({ attempts }) => attempts > 0));
  await setup.worker.health.runOnce();
  const endpoints = await readEndpoints(pool, setup.brand.brand_id, 0);
  const figures = new Map(endpoints.map((one) => [one.endpoint, one]));
  expect(figures.get('userblocks')).toMatchObject({
    successes: 0,
    last_failure: 'server_error',
    last_authenticated_at: expect.any(Number),
  });
  // A player whom the operator does not know is not a failure of the endpoint.
  expect(figures.get('userdetails')).toMatchObject({ failures: 0, last_failure: null });
  expect(figures.get('token')).toMatchObject({ successes: 1, failures: 0 });
  setup.operator.dials.clear();
  await setup.refresh(known);
  await setup.until(known, isCurrent);
});

test('quantiles come from the buckets', () => {
  expect([0.5, 1, 20, 10_000, 60_000].map(latencyBucket)).toEqual([0, 0, 5, 14, 15]);
  const histogram = new Array<number>(latencyBuckets).fill(0);
  expect(latencyQuantile(histogram, 0.5)).toBeNull();
  histogram[5] = 99;
  histogram[14] = 1;
  expect([0.5, 0.99, 1].map((share) => latencyQuantile(histogram, share))).toEqual([32, 32, 16_384]);
});
