import { Command } from 'commander';
import { RebuildCancelled, type RebuildProgress, RebuildRunning, type RebuildScope, rebuild } from '../derive/index.ts';
import { noteReplacedOrRemoved } from '../segments/membership/index.ts';
import { type CliContext, CliError, withContext } from './context.ts';
import { withRightClock } from './right-clock.ts';

interface Options {
  brand?: string;
  player?: string;
  swap: boolean;
}

/** Maximum number of differing players that are listed. The database contains all of them. */
const maxListedDifferences = 20;

/**
 * `cli rebuild`: recomputes derived state from the ledger and compares it with the live state. Exit code 2 if they
 * differ.
 */
export function rebuildCommand(): Command {
  return new Command('rebuild')
    .description(
      'recomputes derived state from the ledger, compares it with the live state, and reports the differences',
    )
    .option('--brand <code>', 'only this brand')
    .option('--player <user_id>', 'only this player of the brand')
    .option('--swap', 'replaces live state that differs from the rebuilt state', false)
    .action((options: Options) =>
      withContext((context) => withRightClock(context.stages, () => run(context, options))),
    );
}

async function run(context: CliContext, options: Options): Promise<void> {
  const { pool, log, stages } = context;
  const scope = await scopeOf(context, options);
  await stages.brands.refresh();
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort(new CliError('cancelled; the live state is unchanged')));
  const result = await rebuild({
    pool,
    ledger: stages.ledger,
    history: stages.ledger.days,
    brands: stages.brands,
    log,
    scope,
    clock: stages.databaseClock.agreed,
    swap: options.swap,
    onExchanged: noteReplacedOrRemoved,
    signal: cancel.signal,
    onProgress: showProgress(),
  }).catch((error) => {
    const isExpected = [RebuildRunning, RebuildCancelled, RangeError].some((known) => error instanceof known);
    throw isExpected ? new CliError(error.message) : error;
  });
  const { events, players, difference_count, swapped, failures, rollup_differences } = result;
  process.stdout.write(`${events} events, ${players} players, ${difference_count} differ`);
  process.stdout.write(options.swap ? `, ${swapped} replaced\n` : '\n');
  for (const difference of result.differences.slice(0, maxListedDifferences)) {
    process.stdout.write(`  ${JSON.stringify(difference)}\n`);
  }
  for (const { user_id, reason } of failures) process.stdout.write(`  not applied, ${user_id}: ${reason}\n`);
  for (const difference of rollup_differences.slice(0, maxListedDifferences)) {
    process.stdout.write(`  roll-up: ${JSON.stringify(difference)}\n`);
  }
  if (difference_count > swapped || failures.length + rollup_differences.length > 0) process.exitCode = 2;
}

async function scopeOf(context: CliContext, { brand, player }: Options): Promise<RebuildScope> {
  if (brand === undefined) {
    if (player !== undefined) throw new CliError('--player requires --brand');
    return { of: 'everything' };
  }
  const { brand_id } = await context.brand(brand);
  return player === undefined ? { of: 'brand', brand_id } : { of: 'player', brand_id, user_id: player };
}

/** One line on a terminal, rewritten in place. Prints nothing if stderr is not a terminal. */
function showProgress(): (progress: RebuildProgress) => void {
  if (!process.stderr.isTTY) return () => {};
  return ({ phase, events, buckets, players, differences }) => {
    const counts = `${events} events, ${buckets.done}/${buckets.of} buckets, ${players} players, ${differences} differ`;
    process.stderr.write(`\r${phase}: ${counts}\u001b[K`);
  };
}
