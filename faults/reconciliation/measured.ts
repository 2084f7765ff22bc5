import { Command, InvalidArgumentError } from 'commander';
import { commit } from '../commit.ts';
import { withDatabase } from '../installation/database.ts';
import { proveReconciliation } from './prove.ts';

/** The measured process; main.ts starts it. */
const whole = (text: string): number => {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new InvalidArgumentError('must be a whole number above 0');
  return value;
};
const sizes = new Command('reconciliation-proof')
  .description('Reconciles with an operator of millions of players, and measures memory and time')
  .option('--ids <count>', 'players of the operator', whole, 5_000_000)
  .option('--players <count>', 'players that the platform knows, too', whole, 200_000)
  .option('--error-after <count>', 'ids before the stream ends with an error', whole, 1_000_000)
  .parse()
  .opts<{ ids: number; players: number; errorAfter: number }>();

print({ reconciliation: sizes, commit: commit(), node: process.execArgv });
const outcomes = await withDatabase((_pool, url) => proveReconciliation(url, sizes, print));
for (const outcome of outcomes) print({ ...outcome });
process.exitCode = outcomes.every(({ kept }) => kept) ? 0 : 1;

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
