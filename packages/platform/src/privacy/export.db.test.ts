import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setupStage } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { traces } from '../../testing/privacy/setup-privacy.ts';
import { connectionConfig, openPool } from '../database/index.ts';
import { playerHash } from '../ledger/index.ts';
import { PostgresLedger } from '../ledger/postgres.ts';
import { exportPlayer } from './index.ts';

const { pool, url, clock, brand, publish, derive, playerId } = await setupStage();
const { brand_id } = brand;
const ann = traces('ann');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a reader that stalls, or disconnects, holds neither a snapshot nor a connection', async () => {
  await publish({ kind: 'login', body: { user_id: ann.user_id, timestamp: '2026-05-01T11:00:00Z' } });
  await derive();
  const player_id = await playerId(ann.user_id);
  await pool.query(
    `insert into protection_transition (brand_id, player_id, kind, source, at, received_at)
     select $1, $2, 'blocked', 'staff', now(), now() from generate_series(1, 3000)`,
    [brand_id, player_id],
  );
  const one = openPool(url, { name: 'test export', max: 1, connectTimeoutMs: 1_000 });
  const connection = connectionConfig(url, { name: 'test' });
  const ledger = new PostgresLedger({
    pool: one,
    connection,
    process: 'test',
    now: clock.now,
    log: testLog,
    ready: async () => {},
  });
  const subject = { brand_id, player_id, user_id: ann.user_id, player_hash: playerHash(brand_id, ann.user_id) };
  const begin = () => exportPlayer({ pool: one, ledger }, brand, subject, '2026-05-01T12:00:00Z');

  const stalled = begin();
  let text = '';
  while (!text.includes('"tables":{\n')) text += (await stalled.next()).value ?? '';
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like '%test export'
     and (backend_xmin is not null or state like 'idle in transaction%')`,
  );
  expect(rowCount).toBe(0);
  expect((await one.query('select 1 as one')).rows).toEqual([{ one: 1 }]);

  // Another reader disconnects. The first one continues at its position, and reads to the last bracket.
  const left = begin();
  for (let n = 0; n < 3; n++) await left.next();
  await left.return(undefined);
  for await (const part of stalled) text += part;
  const document = JSON.parse(text);
  expect(document.tables.protection_transition).toHaveLength(3_000);
  expect(document.events).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
  await one.end();
});
