import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';

const { pool, url } = await setupDatabase();
const dataDir = await mkdtemp(path.join(tmpdir(), 'croupier-cli-'));
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth });
afterAll(async () => {
  await operator.stop();
  await rm(dataDir, { recursive: true });
});
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
/** The secret of testing/brand.ts, because the command decrypts the credentials of its brands. */
const secret = 'a secret of 32 characters for tests';

test('lists of users are reconciled from a terminal, without a running installation', { timeout: 60_000 }, async () => {
  operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: true }] });
  operator.dials.set('reconciliation', { faults: [{ fault: 'status', status: 501, fields: ['active'] }] });
  const { brand } = await createBrand(pool, { operator: { base_url: operator.url, auth } });
  const args = ['reconcile', '--brand', brand.code, '--json', '--field', 'consent_email', 'excluded', 'active'];
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, CROUPIER_SECRET: secret };
  const child = spawn(process.execPath, [main, ...args], { env });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code, err }).toEqual({ code: 2, err: '' });
  expect(JSON.parse(out)).toMatchObject([
    { field: 'consent_email', ids: 1, reason: null },
    { field: 'excluded', state: 'held', reason: 'empty' },
    { field: 'active', state: 'not_offered' },
  ]);
});
