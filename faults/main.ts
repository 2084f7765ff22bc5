import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { commit } from './commit.ts';
import { type Installation, startInstallation } from './installation/installation.ts';
import { type Outcome, outcome } from './outcome.ts';
import type { Run, Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

/** `npm run faults`: injects faults into a real installation and reports which promises held (README.md). */
interface Options {
  seed?: string;
  minutes: number;
  scenario: string[];
  short?: true;
}

/** A shared machine, such as one of CI, may be four times as slow. A platform that has stopped would exceed even this limit. */
const shortAllowance = 4;
/** Lines of the installation's log that are printed when a promise is broken. */
const maxLogLines = 200;

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('must be a number above 0');
  return value;
};
const names = scenarios.map(({ name }) => name);

const command = new Command('faults')
  .description('Causes failures in a real installation, and prints one JSON line for each promise of the platform')
  .option(
    '--seed <seed>',
    'the same seed repeats the same faults (default: a random seed, which is printed; with --short: always the same seed)',
  )
  .option('--minutes <minutes>', 'duration of each scenario', positive, 2)
  .addOption(
    new Option(
      '--short',
      'runs each scenario for seconds, without the scenarios that need minutes; use it for each change',
    ).conflicts('minutes'),
  )
  .addOption(new Option('--scenario <names...>', 'run only these scenarios').choices(names).default(names, 'all'))
  .parse();
const options = command.opts<Options>();

const seed = options.seed ?? (options.short ? 'short' : String(randomInt(1e6)));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort(new Error(`the run was stopped (${signal})`)));
}

const chosen = scenarios.filter(({ name, short }) => options.scenario.includes(name) && (short || !options.short));
if (chosen.length === 0) command.error('none of these scenarios has a short form');
const duration = options.short ? { short: true } : { minutes: options.minutes };
print({ faults: chosen.map(({ name }) => name), seed, commit: commit(), ...duration });
const broken: Record<string, unknown>[] = [];
for (const scenario of chosen) {
  broken.push(...(await play(scenario)));
  if (stopping.signal.aborted) break;
}
// Repeated at the end, after the logs, because often only the end of the output is kept.
for (const one of broken) print({ ...one, again: true });
process.exit(broken.length === 0 ? 0 : 1);

/** Returns the broken promises; a scenario that could not be completed counts as one. */
async function play({ name, story, short, run }: Scenario): Promise<Record<string, unknown>[]> {
  const say = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  say(story);
  const started: Installation[] = [];
  const given: Run = {
    seed,
    say,
    signal: stopping.signal,
    ...(options.short && short
      ? { seconds: short.seconds, allowance: shortAllowance }
      : { seconds: options.minutes * 60, allowance: 1 }),
    start: async (wanted) => {
      const installation = await startInstallation(wanted);
      started.push(installation);
      return installation;
    },
  };
  const outcomes = await run(given).catch((error: Error) => {
    say(error.stack ?? String(error));
    return [outcome('-', 'the scenario runs to its end', {}, [error.message])];
  });
  // A longer run causes at least as many faults as the short form.
  if (short && given.seconds >= short.seconds) outcomes.push(judgeEnough(short.least, outcomes));
  const lines = outcomes.map((one) => ({ scenario: name, ...one }));
  for (const line of lines) print(line);
  const broken = lines.filter((line) => !line.kept);
  if (broken.length > 0)
    for (const { log } of started) say(`the end of the log:\n${log().split('\n').slice(-maxLogLines).join('\n')}`);
  return broken;
}

/** A run in which nothing was killed or ordered keeps every promise, but proves nothing. */
function judgeEnough(least: Readonly<Record<string, number>>, outcomes: readonly Outcome[]): Outcome {
  const counted: Record<string, number> = Object.assign({}, ...outcomes.map(({ counts }) => counts));
  const short = Object.keys(least).filter((count) => !((counted[count] ?? 0) >= (least[count] ?? 0)));
  const broken = short.map((count) => `${count}: ${counted[count] ?? 'not counted'} of at least ${least[count]}`);
  return outcome('-', 'the run caused enough faults to be meaningful', {}, broken);
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
