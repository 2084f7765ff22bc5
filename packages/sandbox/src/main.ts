import { Command, Option } from 'commander';
import { createDemo } from './demo/demo.ts';
import { OptionValues } from './option-values.ts';

/**
 * The `sandbox` process of the demo: fake operator, casino and light traffic on one port. It accepts command-line options or
 * environment variables. Use environment variables for secrets. SIGTERM or SIGINT stops it immediately. Then events that
 * were not acknowledged are dropped.
 */
interface Options {
  host: string;
  port: number;
  operatorKey: string;
  platformUrl: string;
  publicUrl: string;
  brand: string;
  testUser: string;
  key: string;
  rate: number;
  players: number;
  seed: string;
}

const values = new OptionValues();
const command = new Command('sandbox')
  .description('Runs a fake operator with its own records, and light simulated traffic to a Croupier platform')
  .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').env('SANDBOX_HOST'))
  .addOption(
    values.count(
      new Option('--port <port>', 'port to listen on; 0: any free port').default(8090).env('SANDBOX_PORT'),
      65_535,
    ),
  )
  .addOption(
    new Option('--operator-key <key>', 'key that the operator requires in X-API-Key; default: none required')
      .default('')
      .env('SANDBOX_OPERATOR_KEY'),
  )
  .addOption(
    values.address(
      new Option('--platform-url <url>', 'URL of the platform to publish to')
        .default('http://127.0.0.1:8080')
        .env('SANDBOX_PLATFORM_URL'),
    ),
  )
  .addOption(
    values.address(
      new Option('--public-url <url>', 'URL of the platform for browsers; default: --platform-url')
        .default('')
        .env('SANDBOX_PUBLIC_URL'),
    ),
  )
  .addOption(new Option('--brand <code>', 'code of the brand').default('demo').env('SANDBOX_BRAND'))
  .addOption(
    new Option('--test-user <user_id>', "player behind the brand's test session")
      .default('test-1')
      .env('SANDBOX_TEST_USER'),
  )
  .addOption(new Option('--key <key>', 'API key of the brand').default('').env('SANDBOX_API_KEY'))
  .addOption(values.number(new Option('--rate <events>', 'events per second; 0: none').default(2).env('SANDBOX_RATE')))
  .addOption(values.count(new Option('--players <count>', 'number of players').default(40).env('SANDBOX_PLAYERS')))
  .addOption(new Option('--seed <seed>', 'the same seed produces the same traffic').default('1').env('SANDBOX_SEED'))
  .showHelpAfterError('Add --help to see what the command accepts.')
  .parse();
values.exitOnErrors(command);
const options = command.opts<Options>();

const demo = createDemo({
  host: options.host,
  port: options.port,
  auth: options.operatorKey === '' ? { type: 'none' } : { type: 'api_key', value: options.operatorKey },
  platformUrl: options.platformUrl,
  publicUrl: options.publicUrl || options.platformUrl,
  brand: options.brand,
  testUserId: options.testUser,
  key: options.key,
  rate: options.key === '' ? 0 : options.rate,
  players: options.players,
  seed: options.seed,
});

async function stop(): Promise<void> {
  await demo.stop();
  process.exit(0);
}
process.once('SIGTERM', stop).once('SIGINT', stop);

const url = await demo.start().catch(explainListenError);
process.send?.('ready');
if (!process.connected) console.log(`sandbox: ${url} (operator ${url}/operator), publishing to ${options.platformUrl}`);

/** A port that is in use, or an address that this machine does not have, is corrected by a setting. Other errors have another cause. */
function explainListenError(error: NodeJS.ErrnoException): never {
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
  const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
  console.error(
    `The sandbox cannot listen on ${options.host}, port ${options.port}: ${reason}. Set another one with --port (SANDBOX_PORT) or --host (SANDBOX_HOST).`,
  );
  process.exit(1);
}
