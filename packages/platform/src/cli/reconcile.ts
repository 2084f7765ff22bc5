import { setTimeout as delay } from 'node:timers/promises';
import { type ReconciliationField, reconciliationFields } from '@croupier/contracts';
import { Command, Option } from 'commander';
import {
  cancelReconciliation,
  type ReconciliationRun,
  readReconciliation,
  requestReconciliations,
} from '../operator/reconciliation/index.ts';
import { type CliContext, CliError, withContext } from './context.ts';
import { printRows } from './output.ts';
import { withRightClock } from './right-clock.ts';

interface Options {
  brand: string;
  field?: ReconciliationField[];
  json?: boolean;
}

const lookEveryMs = 500;
/**
 * States at which the command stops waiting. In `asking`, all restrictions are in force, and a worker makes the remaining
 * look-ups at its own pace.
 */
const over: ReadonlySet<string> = new Set([
  'asking',
  'held',
  'done',
  'failed',
  'not_offered',
  'cancelled',
  'rejected',
  'superseded',
]);

/** `cli reconcile`: compares the operator's lists of users with the platform. Exit code 2 if one failed or is held. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description(
      "reconciles a brand's lists of users with the operator now; a running worker makes the resulting look-ups",
    )
    .requiredOption('--brand <code>', 'the brand')
    .addOption(new Option('--field <field...>', 'only these fields').choices([...reconciliationFields]))
    .option('--json', 'prints the runs as JSON')
    .action((options: Options) =>
      withContext((context) => withRightClock(context.stages, () => run(context, options))),
    );
}

async function run(context: CliContext, options: Options): Promise<void> {
  const { pool, stages } = context;
  const brand = await context.brand(options.brand);
  if (brand.operator === null) throw new CliError(`brand ${brand.code} has no operator`);
  // This process does the work, next to a worker that may be running. Only one of them processes a run.
  const reconciler = stages.reconciler();
  await reconciler.start();
  try {
    const fields = options.field ?? reconciliationFields;
    const request = { brand_id: brand.brand_id, fields, cause: 'person' as const, now: stages.databaseClock.agreed() };
    const asked = await requestReconciliations(pool, request);
    const ids = asked.map(({ reconciliation_id }) => reconciliation_id);
    process.once('SIGINT', async () => {
      for (const id of ids) await cancelReconciliation(pool, brand.brand_id, id, stages.databaseClock.agreed());
    });
    const runs = await untilOver(async () =>
      Promise.all(ids.map(async (id) => readReconciliation(pool, brand.brand_id, id))).then((all) =>
        all.filter((one) => one !== undefined),
      ),
    );
    printRows(options.json ? runs.map((one) => ({ ...one })) : runs.map(present), { json: options.json ?? false });
    if (runs.some(({ state }) => state === 'failed' || state === 'held')) process.exitCode = 2;
  } finally {
    await reconciler.stop();
  }
}

async function untilOver(read: () => Promise<ReconciliationRun[]>): Promise<ReconciliationRun[]> {
  for (;;) {
    const runs = await read();
    showProgress(runs);
    if (runs.every(({ state }) => over.has(state))) return runs;
    await delay(lookEveryMs);
  }
}

/** One line on a terminal, rewritten in place. Prints nothing if stderr is not a terminal. */
function showProgress(runs: readonly ReconciliationRun[]): void {
  const current = runs.find(({ state }) => state === 'reading' || state === 'comparing');
  if (!process.stderr.isTTY || current === undefined) return;
  const { field, state, ids_read, compared } = current;
  process.stderr.write(`\r${field}: ${state}, ${ids_read} ids read, ${compared} players compared\u001b[K`);
}

function present(run: ReconciliationRun): Record<string, unknown> {
  const { reconciliation_id, field, state, reason, ids, tightened, to_look_up, reported, newer, created } = run;
  return {
    reconciliation_id,
    field,
    state,
    reason: reason ?? '',
    ids: ids ?? '',
    tightened,
    to_look_up,
    reported,
    newer,
    created,
  };
}
