import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { Vault } from '../brands/index.ts';
import { EmbeddedPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { describeTimeline, readScenarios, runScenario, ScenarioError } from '../scenarios/index.ts';
import { prepareDatabase } from '../supervisor/index.ts';
import { CliError } from './context.ts';

const log = createLog({ level: 'error', role: 'cli', to: 'stderr' });
const secret = 'scenarios keep no secrets';

/** `cli campaign`: campaigns as files. */
export function campaignCommand(): Command {
  const campaign = new Command('campaign').description('campaigns as files');
  campaign
    .command('test <place>')
    .description(
      'runs the scenarios of a file, or of all *scenarios.yaml and *scenarios.json below a folder, on a database of its own; exit code 1 where an expectation fails',
    )
    .option('--json', 'timelines as JSON')
    .option('--quiet', 'timelines only of scenarios that fail')
    .action((place: string, options: { json?: boolean; quiet?: boolean }) => test(place, options));
  return campaign;
}

async function test(
  place: string,
  { json = false, quiet = false }: { json?: boolean; quiet?: boolean },
): Promise<void> {
  const found = await readScenarios(place).catch((error: unknown) => {
    throw error instanceof ScenarioError ? new CliError(error.message) : error;
  });
  await withScratchDatabase(async (pool) => {
    let failed = 0;
    for (const { file, scenario } of found) {
      const { lines, failures } = await runScenario({ pool, vault: new Vault(secret), log }, scenario);
      if (failures.length > 0) failed++;
      const state = failures.length === 0 ? 'passed' : 'FAILED';
      if (json) process.stdout.write(`${JSON.stringify({ file, name: scenario.name, state, failures, lines })}\n`);
      else {
        process.stdout.write(`${state} ${scenario.name} (${file})\n`);
        if (!quiet || failures.length > 0) process.stdout.write(`${describeTimeline(lines)}\n`);
      }
    }
    if (!json) process.stdout.write(`${found.length - failed} passed, ${failed} failed\n`);
    if (failed > 0) process.exitCode = 1;
  });
}

/** A server that is made for the command and goes with it: no installation is touched. */
async function withScratchDatabase(work: (pool: Pool) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-scenarios-'));
  const server = new EmbeddedPostgres({ folder: path.join(folder, 'postgres'), log, durable: false });
  try {
    await server.start();
    await prepareDatabase(server.url, { brands: undefined, secret, log });
    const pool = openPool(server.url, { name: 'scenarios', max: 2, log });
    await work(pool).finally(() => pool.end());
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
