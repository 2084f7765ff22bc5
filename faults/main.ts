import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { commit } from './commit.ts';
import type { Run, Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

/** `npm run faults`: makes trouble for a real installation and tells which promises held (README.md). */
interface Options {
  seed: string;
  minutes: number;
  scenario: string[];
}

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed');
  return value;
};
const names = scenarios.map(({ name }) => name);

const options = new Command('faults')
  .description('Makes trouble for a real installation, and prints a JSON line for each promise of the platform')
  .option('--seed <seed>', 'the same seed repeats the same faults (default: any, and printed)', String(randomInt(1e6)))
  .option('--minutes <minutes>', 'how long each scenario goes on', positive, 2)
  .addOption(new Option('--scenario <names...>', 'only these').choices(names).default(names, 'all'))
  .parse()
  .opts<Options>();

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort(new Error(`the run was called off (${signal})`)));
}

print({ faults: options.scenario, seed: options.seed, commit: commit(), minutes: options.minutes });
let kept = true;
for (const scenario of scenarios.filter(({ name }) => options.scenario.includes(name))) {
  kept = (await play(scenario)) && kept;
  if (stopping.signal.aborted) break;
}
process.exit(kept ? 0 : 1);

/** False when a promise is broken, or the scenario could not be played to its end. */
async function play({ name, story, run }: Scenario): Promise<boolean> {
  const say = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  say(story);
  const given: Run = { seed: options.seed, seconds: options.minutes * 60, allowance: 1, say, signal: stopping.signal };
  try {
    const outcomes = await run(given);
    for (const outcome of outcomes) print({ scenario: name, ...outcome });
    return outcomes.every((outcome) => outcome.kept);
  } catch (error) {
    print({ scenario: name, kept: false, broken: [`not played to its end: ${(error as Error).message}`] });
    say((error as Error).stack ?? String(error));
    return false;
  }
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
