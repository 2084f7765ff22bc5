import { Command, Option } from 'commander';
import { createDemo } from './demo/demo.ts';

/**
 * The `sandbox` process of the demo: fake operator, casino and light traffic on one port. It accepts command-line options or
 * environment variables. Use environment variables for secrets. SIGTERM or SIGINT stops it immediately. Then events that
 * were not acknowledged are dropped.
 */
interface Options {
  host: string;
  port: string;
  operatorKey: string;
  platformUrl: string;
  publicUrl: string;
  brand: string;
  testUser: string;
  key: string;
  rate: string;
  players: string;
  seed: string;
}

const options = new Command('sandbox')
  .description('Runs a fake operator with its own records, and light simulated traffic to a Croupier platform')
  .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').env('SANDBOX_HOST'))
  .addOption(new Option('--port <port>', 'port to listen on; 0: any free port').default('8090').env('SANDBOX_PORT'))
  .addOption(
    new Option('--operator-key <key>', 'key that the operator requires in X-API-Key; default: none required')
      .default('')
      .env('SANDBOX_OPERATOR_KEY'),
  )
  .addOption(
    new Option('--platform-url <url>', 'URL of the platform to publish to')
      .default('http://127.0.0.1:8080')
      .env('SANDBOX_PLATFORM_URL'),
  )
  .addOption(
    new Option('--public-url <url>', 'URL of the platform for browsers; default: --platform-url')
      .default('')
      .env('SANDBOX_PUBLIC_URL'),
  )
  .addOption(new Option('--brand <code>', 'code of the brand').default('demo').env('SANDBOX_BRAND'))
  .addOption(
    new Option('--test-user <user_id>', "player behind the brand's test session")
      .default('test-1')
      .env('SANDBOX_TEST_USER'),
  )
  .addOption(new Option('--key <key>', 'API key of the brand').default('').env('SANDBOX_API_KEY'))
  .addOption(new Option('--rate <events>', 'events per second; 0: none').default('2').env('SANDBOX_RATE'))
  .addOption(new Option('--players <count>', 'number of players').default('40').env('SANDBOX_PLAYERS'))
  .addOption(new Option('--seed <seed>', 'the same seed produces the same traffic').default('1').env('SANDBOX_SEED'))
  .parse()
  .opts<Options>();

const demo = createDemo({
  host: options.host,
  port: Number(options.port),
  auth: options.operatorKey === '' ? { type: 'none' } : { type: 'api_key', value: options.operatorKey },
  platformUrl: options.platformUrl,
  publicUrl: options.publicUrl || options.platformUrl,
  brand: options.brand,
  testUserId: options.testUser,
  key: options.key,
  rate: options.key === '' ? 0 : Number(options.rate),
  players: Number(options.players),
  seed: options.seed,
});

async function stop(): Promise<void> {
  await demo.stop();
  process.exit(0);
}
process.once('SIGTERM', stop).once('SIGINT', stop);

const url = await demo.start();
process.send?.('ready');
if (!process.connected) console.log(`sandbox: ${url} (operator ${url}/operator), publishing to ${options.platformUrl}`);
