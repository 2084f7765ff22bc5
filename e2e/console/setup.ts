import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { setupBrowser, type TestBrowser } from '../../packages/platform/testing/browser/browser.ts';
import { setupDatabase } from '../../packages/platform/testing/database.ts';
import { type Installation, startInstallation } from '../../packages/platform/testing/installation.ts';

/**
 * A new installation, as a person starts it, and a browser, for one test file. Call `const { installation, browser } = await setupConsole()`
 * at its top. Both end with the file.
 *
 * The installation uses a database of the test server instead of its own PostgreSQL, so it starts without initdb and migrations,
 * and does not wait for the disk. `supervisor.e2e.test.ts` starts installations with their own PostgreSQL.
 *
 * @param options.brands as in the configuration file. Default: no file, so the platform creates the demo brand.
 */
export async function setupConsole(
  options: { brands?: readonly unknown[] } = {},
): Promise<{ installation: Installation; browser: TestBrowser }> {
  const { url } = await setupDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), `croupier-test-${process.pid}-`));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const config = path.join(dataDir, 'croupier.yaml');
  // JSON is valid YAML.
  if (options.brands !== undefined) await writeFile(config, JSON.stringify({ brands: options.brands }));
  const env = { DATABASE_URL: url, ...(options.brands !== undefined && { CROUPIER_CONFIG: config }) };
  const [installation, browser] = await Promise.all([startInstallation({ dataDir, env }), setupBrowser()]);
  afterAll(async () => void (await installation.stop()));
  return { installation, browser };
}
