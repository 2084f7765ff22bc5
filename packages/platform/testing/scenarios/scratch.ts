import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { ScenarioRunner, scratchUrl } from '../../src/scenarios/index.ts';
import { testVault } from '../brand.ts';
import { testLog } from '../log.ts';

/** Runs scenarios in a second database next to the test's own, and drops it after the test file. */
export function setupScratch(url: string): ScenarioRunner {
  const scenarios = new ScenarioRunner({ databaseUrl: url, vault: testVault, log: testLog });
  afterAll(async () => {
    await scenarios.stop();
    await dropScratch(url);
  });
  return scenarios;
}

export async function dropScratch(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  const name = pg.escapeIdentifier(scratchUrl(url).pathname.slice(1));
  await client.query(`drop database if exists ${name} with (force)`).finally(() => client.end());
}
