import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { transaction } from '../database/index.ts';
import {
  PlatformRules,
  readSegments,
  recompute,
  SegmentRefused,
  verifySegments,
} from '../segments/membership/index.ts';
import { type CliContext, CliError, withContext } from './context.ts';
import { withRightClock } from './right-clock.ts';

interface Options {
  brand?: string;
  segment?: string;
}

/** Maximum number of differing players that are listed. */
const maxListedDifferences = 20;

/** `cli segment`: compares live membership with a computation over all players, and requests corrections. */
export function segmentCommand(): Command {
  const command = new Command('segment').description('verifies and recomputes members of segments');
  command
    .command('verify')
    .description(
      'computes segments over all players and compares the result with the members; changes nothing; exits with 2 if there are differences',
    )
    .option('--brand <code>', 'only this brand')
    .option('--segment <code>', 'only this segment')
    .action((options: Options) => withContext((context) => verify(context, options)));
  command
    .command('recompute')
    .description('asks a running worker to recompute a segment; the worker corrects and lists the differences')
    .requiredOption('--brand <code>', 'the brand')
    .requiredOption('--segment <code>', 'the segment')
    .action((options: Required<Options>) =>
      withContext((context) => withRightClock(context.stages, () => ask(context, options))),
    );
  return command;
}

async function verify({ pool, stages: { brands } }: CliContext, { brand, segment }: Options): Promise<void> {
  await brands.refresh();
  const only = brand === undefined ? undefined : brands.byCode(brand);
  if (brand !== undefined && only === undefined) throw new CliError(`the brand ${brand} does not exist`);
  const isWanted = (code: string, brandId: number) =>
    (segment === undefined || code === segment) && (only === undefined || brandId === only.brand_id);
  const rules = new PlatformRules({ pool });
  const { versions, differences, left_out } = await verifySegments({ pool, brands, rules }, systemClock, isWanted);
  process.stdout.write(
    `${versions} segments, ${differences.length} differences, ${left_out} not compared because they are about to be updated\n`,
  );
  for (const difference of differences.slice(0, maxListedDifferences))
    process.stdout.write(`  ${JSON.stringify(difference)}\n`);
  if (differences.length > 0) process.exitCode = 2;
}

async function ask({ pool, stages: { brands, databaseClock } }: CliContext, options: Required<Options>): Promise<void> {
  await brands.refresh();
  const brand = brands.byCode(options.brand);
  if (brand === undefined) throw new CliError(`the brand ${options.brand} does not exist`);
  const rules = new PlatformRules({ pool });
  await transaction(pool, async (tx) => {
    const [segment] = await readSegments(tx, brand.brand_id, { code: options.segment, lock: true });
    if (segment === undefined) throw new CliError(`the segment ${options.segment} does not exist`);
    await recompute(tx, rules, segment, { at: databaseClock.agreed(), actor: 'cli' }).catch((error: unknown) => {
      throw error instanceof SegmentRefused ? new CliError(error.message) : error;
    });
  });
  process.stdout.write('requested; GET segments/:code/differences lists the differences\n');
}
