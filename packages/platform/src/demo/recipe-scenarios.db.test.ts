import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { describeTimeline, readScenarios, runScenario } from '../scenarios/index.ts';

/* The scenarios of the recipes, run as by `npm run cli -- campaign test recipes`. */
const folder = (name: string) => fileURLToPath(new URL(`../../../../recipes/${name}`, import.meta.url));
const { pool } = await setupDatabase();
const scenarios = await readScenarios(folder('scenarios'));

test('each recipe has at least two scenarios', async () => {
  for (const recipe of await readdir(folder('campaigns'))) {
    const file = recipe.replace('.json', '.scenarios.yaml');
    expect(scenarios.filter((one) => one.file.endsWith(`/${file}`)).length, recipe).toBeGreaterThanOrEqual(2);
  }
});

test.each(scenarios.map(({ scenario }) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
  const { failures, lines } = await runScenario({ pool, vault: testVault, log: testLog }, scenario);
  expect(failures, describeTimeline(lines)).toEqual([]);
});
