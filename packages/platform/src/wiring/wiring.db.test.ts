import { expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { freePort } from '../../testing/free-port.ts';
import { testLog } from '../../testing/log.ts';
import { loadConfig } from '../config/index.ts';
import { createApi } from './api.ts';
import { createWorker } from './worker.ts';

const { pool, url } = await setupDatabase();

test('an api and a worker on one database: an event comes in, is derived, and the gauges show the installation', async () => {
  const port = await freePort();
  const config = await loadConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    CROUPIER_SECRET: 'a secret of 32 characters for tests',
    CROUPIER_ADMIN_TOKEN: 'a token for tests',
  });
  const { key } = await createBrand(pool);
  const context = { config, databaseUrl: url, log: testLog };
  const api = createApi({ ...context, name: 'api-test' });
  const worker = createWorker({ ...context, name: 'worker-test' });
  await api.start();
  await worker.start();
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  try {
    expect(await get('/health/live')).toMatchObject({ status: 200 });
    expect(await get('/health/ready')).toMatchObject({ status: 200 });
    const published = await fetch(`http://127.0.0.1:${port}/v2/integration/login`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: 'p-1', timestamp: new Date().toISOString() }),
    });
    expect(published.status).toBe(200);
    await expect
      .poll(async () => (await pool.query('select login_count from live.login_total')).rows)
      .toEqual([{ login_count: 1 }]);
    await pool.query(
      `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, extra, offered, created_at, created_by, state, state_since)
       select gen_random_uuid(), brand_id, player_id, 'bonus', 'WELCOME', '{}', false, now(), 'ann', state, now()
         from player cross join unnest('{unknown,needs_person,offered,credited}'::text[]) state`,
    );
    await pool.query(
      `insert into email_message (message_id, brand_id, player_id, purpose, subject, html, plain, created_at, created_by, expires_at, state, ended_at)
       select n * 64 + (player_id & 63), brand_id, player_id, 'service', '', '', '', now(), 'ann', now(), state, now() - ago
         from player cross join (values (1, 'failed', interval '50 min'), (2, 'failed', '70 min'), (3, 'unknown', '1 s'), (4, 'sent', '1 s')) m (n, state, ago)`,
    );
    const { text } = await get('/metrics');
    const gauges = Object.fromEntries(
      [...text.matchAll(/^(croupier_\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    expect(gauges).toMatchObject({
      croupier_derive_lag_seconds: expect.any(Number),
      croupier_derive_lag_blocks: expect.any(Number),
      croupier_derive_parked_players: 0,
      croupier_segment_buckets_failing: 0,
      croupier_segment_players_failing: 0,
      croupier_campaign_runs_spoiled: 0,
      croupier_quarantine_open: 0,
      croupier_ledger_damaged_blocks: 0,
      croupier_look_ups_waiting: expect.any(Number),
      croupier_look_ups_parked: 0,
      croupier_bonus_intents_unknown: 2,
      croupier_messages_failed: 2,
      croupier_workers: 1,
      croupier_ingest_store_open: 1,
    });
  } finally {
    await api.stop();
    await worker.stop();
  }
});

test('metrics with a separate port are served only there, and the port serves nothing else', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const config = await loadConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    CROUPIER_SECRET: 'a secret of 32 characters for tests',
    CROUPIER_ADMIN_TOKEN: 'a token for tests',
  });
  const api = createApi({
    config: { ...config, metrics: { port: metricsPort } },
    databaseUrl: url,
    log: testLog,
    name: 'api-metrics',
  });
  await api.start();
  const status = async (at: number, path: string) => (await fetch(`http://127.0.0.1:${at}${path}`)).status;
  try {
    const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect([scraped.status, await scraped.text()]).toEqual([
      200,
      expect.stringContaining('croupier_ingest_store_open 1'),
    ]);
    expect(await status(port, '/metrics')).toBe(404);
    expect(await status(port, '/health/live')).toBe(200);
    for (const path of ['/health/live', '/docs', '/api/console/v1/session', '/site/demo/Crm/Push'])
      expect(await status(metricsPort, path), path).toBe(404);
  } finally {
    await api.stop();
  }
});
