import { Command, Option } from 'commander';
import { createPublisher, createSimulation } from './index.ts';
import { OptionValues } from './option-values.ts';

/**
 * `npm run simulate`: plays a casino against a running platform until it is stopped, and prints one line per second. The
 * players are named `sim-100001` and so on. The demo's operator answers look-ups about them.
 */
interface Options {
  url: string;
  key: string;
  rate: number;
  players: number;
  seed: string;
  seconds?: number;
  duplicates?: number;
  prefix: string;
  connections: number;
}

const values = new OptionValues();
const command = new Command('simulate')
  .description('Publishes realistic casino traffic of every event kind to a running platform')
  .addOption(
    values.address(
      new Option('--url <url>', 'integration API of the platform').default('http://127.0.0.1:8080').env('CROUPIER_URL'),
    ),
  )
  .option('--key <key>', 'API key of the brand (default: DEMO_KEY of the environment)', process.env.DEMO_KEY ?? '')
  .addOption(values.number(new Option('--rate <events>', 'events per second').default(10)))
  .addOption(values.count(new Option('--players <count>', 'number of players').default(100)))
  .option('--seed <seed>', 'the same seed produces the same traffic', '1')
  .addOption(
    values.number(new Option('--seconds <count>', 'stops after this number of seconds (default: runs until stopped)')),
  )
  .addOption(
    values.number(
      new Option('--duplicates <share>', 'share of messages that are sent twice, from 0 to 1 (default 0.03)'),
    ),
  )
  .option('--prefix <text>', 'prefix of every user id', 'sim-')
  .addOption(values.count(new Option('--connections <count>', 'maximum keep-alive connections').default(64)))
  .showHelpAfterError('Add --help to see what the command accepts.')
  .parse();
values.exitOnErrors(command);
const options = command.opts<Options>();

if (options.key === '') {
  console.error(
    "An API key is required: set --key <key>, or DEMO_KEY in the environment. `npm start` prints the demo brand's key.",
  );
  process.exit(2);
}

const stopping = new AbortController();
const stop = () => stopping.abort();
process.on('SIGINT', stop).on('SIGTERM', stop);
if (options.seconds !== undefined) setTimeout(stop, options.seconds * 1000).unref();

const simulation = createSimulation({
  seed: options.seed,
  players: options.players,
  idPrefix: options.prefix,
  clock: () => Date.now() * 1000,
  // Runs must not share payment and round ids. Otherwise a later run would contradict an earlier one.
  firstNumber: Date.now(),
  characters: true,
  quirks: options.duplicates === undefined ? {} : { retry: options.duplicates },
});
const publisher = createPublisher({ url: options.url, key: options.key, connections: options.connections });

console.log(`seed ${options.seed}: ${options.players} players, ${options.rate} events/s to ${options.url}`);
const started = performance.now();
const progress = setInterval(report, 1000);
await publisher.run(simulation, { rate: options.rate, inFlight: options.connections * 4, signal: stopping.signal });
clearInterval(progress);
report();
await publisher.close();
const firstRefusal = publisher.refused.find((refusal) => refusal.message.label !== 'invalid');
if (firstRefusal !== undefined) {
  console.error(
    `valid events were refused: ${firstRefusal.status} ${firstRefusal.answer}\n${firstRefusal.message.body}`,
  );
  process.exitCode = 1;
} else if (publisher.counts.sent > 0 && publisher.counts.acknowledged === 0) {
  console.error(`Nothing was acknowledged. Check that Croupier runs at ${options.url}, or set --url to its address.`);
  process.exitCode = 1;
}

function report(): void {
  const { sent, acknowledged, refused, failed_attempts } = publisher.counts;
  const { p50, p99 } = publisher.takeLatencies();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const latency = p50 === null || p99 === null ? '' : `, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  console.log(
    `${seconds} s: ${sent} sent, ${acknowledged} acknowledged, ${refused} refused, ${failed_attempts} failed attempts${latency}`,
  );
}
