import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Pool } from 'pg';
import { Vault } from '../brands/index.ts';
import { EmbeddedPostgres, openPool } from '../database/index.ts';
import { createLog } from '../log.ts';
import { describeTimeline, readScenarios, runScenario, ScenarioError } from '../scenarios/index.ts';
import { prepareDatabase } from '../supervisor/index.ts';
import { applyCampaigns, diffCampaigns, type Platform, pullCampaigns } from './campaign-sync.ts';
import { backtestCampaign, dryRunCampaign, forecastCampaign } from './campaign-trials.ts';
import { CliError } from './context.ts';

const log = createLog({ level: 'error', role: 'cli', to: 'stderr' });
const secret = 'scenarios store no secrets';

/** `cli campaign`: campaigns as files. */
export function campaignCommand(): Command {
  const campaign = new Command('campaign').description('tests campaigns, and copies them to and from files');
  campaign
    .command('test <place>')
    .description(
      'runs the scenarios of a file, or of all files *scenarios.yaml and *scenarios.json in a folder, on a separate database; exits with 1 if an expectation fails, with 2 if a file cannot be read',
    )
    .option('--json', 'prints one JSON document for each scenario')
    .option('--quiet', 'prints only the timelines of failed scenarios')
    .action((place: string, options: { json?: boolean; quiet?: boolean }) => test(place, options));
  onPlatform(
    campaign.command('pull <folder>').description('writes the campaigns of a running platform to files'),
    pullCampaigns,
  );
  onPlatform(
    campaign.command('diff <folder>').description('prints what apply would change; exits with 2 if there are changes'),
    async (platform, folder) => {
      const lines = await diffCampaigns(platform, folder);
      if (lines.length > 0) process.exitCode = 2;
      return lines;
    },
  );
  onPlatform(
    campaign
      .command('apply <folder>')
      .description(
        'creates and changes campaigns of a running platform from files; campaigns without a file stay unchanged; exits with 1 if a campaign is refused, otherwise with 3 if a draft waits for approval',
      )
      .option('--publish', 'publishes the drafts')
      .option(
        '--move-runs',
        'with --publish: moves active runs to the new version if all of their steps still exist; refused if their order changed',
      ),
    async (platform, folder, { publish = false, moveRuns = false }) => {
      const how = { publishes: publish, movesRuns: moveRuns };
      const { lines, refused, waiting } = await applyCampaigns(platform, folder, how);
      process.stderr.write(refused.map((line) => `${line}\n`).join(''));
      if (refused.length > 0) process.exitCode = 1;
      else if (waiting.length > 0) process.exitCode = 3;
      return lines;
    },
  );
  onPlatform(
    campaign
      .command('dry-run <code>')
      .description('prints what a campaign of a running platform would do if real players entered it now')
      .option('--user <user_id>', 'tries this player')
      .option('--players <number>', 'tries this number of players of the audience'),
    (platform, code, { user, players }) =>
      dryRunCampaign(platform, code, {
        ...(user !== undefined && { user }),
        ...(players !== undefined && { players: Number(players) }),
      }),
  );
  onPlatform(
    campaign
      .command('backtest <code>')
      .description(
        'prints what a campaign of a running platform would have done in the past days; waits for the result',
      )
      .option('--days <number>', 'number of past days', '7')
      .option('--players <number>', 'maximum number of players to try', '1000'),
    (platform, code, { days, players }) =>
      backtestCampaign(platform, code, { days: Number(days), players: Number(players) }),
  );
  onPlatform(
    campaign
      .command('forecast <code>')
      .description(
        'prints the expected entries, messages and credits of a campaign of a running platform for the next days',
      )
      .option('--days <number>', 'number of days', '7'),
    (platform, code, { days }) => forecastCampaign(platform, code, { days: Number(days) }),
  );
  return campaign;
}

interface PlatformOptions {
  brand: string;
  url: string;
  publish?: boolean;
  moveRuns?: boolean;
  user?: string;
  players?: string;
  days?: string;
}

function address(text: string): string {
  if (URL.canParse(text)) return text;
  throw new InvalidArgumentError('must be an address such as http://127.0.0.1:8080');
}

/** A command that talks to the console API of a running platform. */
function onPlatform(
  command: Command,
  work: (platform: Platform, folder: string, options: PlatformOptions) => Promise<string[]>,
): void {
  command
    .requiredOption('--brand <code>', 'the brand')
    .option('--url <url>', 'address of the platform', address, 'http://127.0.0.1:8080')
    .action(async (folder: string, options: PlatformOptions) => {
      const token = process.env.CROUPIER_ADMIN_TOKEN;
      if (token === undefined || token === '')
        throw new CliError('set the environment variable CROUPIER_ADMIN_TOKEN to the admin token of the platform');
      const lines = await work({ url: options.url, brand: options.brand, token }, folder, options);
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}

async function test(
  place: string,
  { json = false, quiet = false }: { json?: boolean; quiet?: boolean },
): Promise<void> {
  const found = await readScenarios(place).catch((error: unknown) => {
    throw error instanceof ScenarioError ? new CliError(error.message, { exitCode: 2 }) : error;
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

/** A temporary server for the command, so no installation is touched. */
async function withScratchDatabase(work: (pool: Pool) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-scenarios-'));
  const server = new EmbeddedPostgres({ folder: path.join(folder, 'postgres'), log, durable: false });
  try {
    await server.start();
    await prepareDatabase(server.url, { brands: undefined, secret, previousSecrets: [], log });
    const pool = openPool(server.url, { name: 'scenarios', max: 2, log });
    await work(pool).finally(() => pool.end());
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
