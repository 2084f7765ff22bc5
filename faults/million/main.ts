import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { commit } from '../commit.ts';
import { withDatabase } from '../installation/database.ts';
import { playMillion } from './million.ts';

/** `npm run million`: a million events against the simulator's truth, while days grow old and are dropped (../README.md). */
const whole = (text: string): number => {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new InvalidArgumentError('must be a whole number above 0');
  return value;
};

const {
  seed = String(randomInt(1e6)),
  events,
  days,
} = new Command('million')
  .description(
    'Plays a million events in random order through ledger, derive and segments, and compares everything with the true values',
  )
  .option('--events <count>', 'messages of the casino, before duplicates', whole, 1_000_000)
  .option('--seed <seed>', 'the same seed repeats the same events (default: a random seed, which is printed)')
  .option('--days <count>', 'simulated days; fewer days have more players', whole, 28)
  .parse()
  .opts<{ seed?: string; events: number; days: number }>();

/** Number of printed differences; all are counted. */
const printedDifferences = 20;

print({ million: events, seed, commit: commit(), days });
const startedAt = performance.now();
const { outcomes, kinds, differences, seconds, derived_per_second } = await withDatabase((pool, url) =>
  playMillion(pool, url, { seed, events, days, say: (line) => process.stderr.write(`million: ${line}\n`) }),
);
print({ kinds });
for (const outcome of outcomes) print({ ...outcome });
for (const { user_id, what, truth = null, platform = null } of differences.slice(0, printedDifferences)) {
  print({ difference: what, user_id, truth, platform });
}
const all = Math.round((performance.now() - startedAt) / 1000);
const retained = outcomes.every((outcome) => outcome.kept);
print({ kept: retained, differences: differences.length, derived_per_second, seconds: { ...seconds, all } });
process.exitCode = retained ? 0 : 1;

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
