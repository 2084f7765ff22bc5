import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { describeTimeline, readScenarios, runScenario } from './index.ts';

const { pool } = await setupDatabase();
const deps = { pool, vault: testVault, log: testLog };
const scenarios = await readScenarios(fileURLToPath(new URL('../../testing/scenarios', import.meta.url)));

test.each(scenarios.map(({ scenario }) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
  const { failures, lines } = await runScenario(deps, scenario);
  expect(failures, describeTimeline(lines)).toEqual([]);
});

test('a scenario leaves nothing behind', async () => {
  const { rows } = await pool.query(
    'select (select count(*)::int from brand) as brands, (select count(*)::int from player) as players, (select count(*)::int from campaign) as campaigns',
  );
  expect(rows).toEqual([{ brands: 0, players: 0, campaigns: 0 }]);
});
