import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { loadConfig } from '../config/index.ts';
import { createLog } from '../log.ts';
import { demoBrand } from './demo-brand.ts';
import { furnishDemo } from './furnish-demo.ts';
import { prepareDatabase } from './prepare-database.ts';

const { pool, url } = await setupDatabase();

test('the demo brand has its campaigns, although the database ended the first connections', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { declaration } = await demoBrand(folder, null);
  const secret = 'a secret of 32 characters for tests';
  const log = createLog({ level: 'warn', role: 'test', to: { write: () => {} } });
  await prepareDatabase(url, { brands: undefined, demo: declaration, secret, previousSecrets: [], log });
  const config = await loadConfig({ CROUPIER_SECRET: secret, DATABASE_URL: url, DATA_DIR: folder });

  await furnishDemo(await endingFirst(2), config, log);

  const { rows } = await pool.query('select count(*)::int as campaigns from campaign');
  expect(rows[0].campaigns).toBeGreaterThan(5);
});

/** The address of a proxy that ends its first connections and passes on all later ones. */
async function endingFirst(count: number): Promise<string> {
  const target = new URL(url);
  let seen = 0;
  const server = createServer((near) => {
    near.on('error', () => {});
    if (seen++ < count) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    return near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return proxied.href;
}
