import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import { setupBrowser, type TestBrowser } from '../../packages/platform/testing/browser/browser.ts';
import { setupDatabase } from '../../packages/platform/testing/database.ts';
import { type Installation, startInstallation } from '../../packages/platform/testing/installation.ts';

/**
 * Starts a new installation, as a person does, and a browser, for one test file. Call
 * `const { installation, browser } = await setupConsole()` at its top. Both end with the file.
 *
 * The installation uses a database of the test server instead of its own PostgreSQL, so it starts without initdb and migrations,
 * and does not wait for the disk. `supervisor.e2e.test.ts` starts installations with their own PostgreSQL.
 *
 * @param options.brands as in the configuration file. Default: no file, so the platform creates the demo brand.
 * @param options.settings further settings of the configuration file, if there is one
 * @param options.env further environment variables
 */
export async function setupConsole(
  options: { brands?: readonly unknown[]; settings?: object; env?: Record<string, string> } = {},
): Promise<{ installation: Installation; browser: TestBrowser; pool: Pool }> {
  const { url, pool } = await setupDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const config = path.join(dataDir, 'croupier.yaml');
  // JSON is valid YAML.
  if (options.brands !== undefined)
    await writeFile(config, JSON.stringify({ ...options.settings, brands: options.brands }));
  const env = { ...options.env, DATABASE_URL: url, ...(options.brands !== undefined && { CROUPIER_CONFIG: config }) };
  const [installation, browser] = await Promise.all([startInstallation({ dataDir, env }), setupBrowser()]);
  afterAll(async () => void (await installation.stop()));
  return { installation, browser, pool };
}
