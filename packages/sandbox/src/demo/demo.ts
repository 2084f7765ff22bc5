import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOperator, type OperatorAuth } from '../operator/index.ts';
import { createPublisher } from '../publisher/index.ts';
import { createSimulation, type Message } from '../simulator/index.ts';
import { handleApi } from './casino/api.ts';
import { createCasino } from './casino/casino.ts';
import { liveView } from './live.ts';
import { policyFor, servePage } from './page.ts';
import { pushWorker } from './push-worker.ts';
import { createTraffic } from './traffic.ts';

/**
 * The demo's casino as one process. `/operator` is the fake operator, `/` is a casino to sign in to and play in, and `/live` is
 * a page that shows records and traffic. Simulated players send light traffic to the platform. All parts share the same
 * records. The platform may be unavailable at any time. Then the few open messages are retried until it is available
 * again, and the simulation pauses.
 */
export interface DemoOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  auth: OperatorAuth;
  /** The address to which the sandbox publishes. */
  platformUrl: string;
  /** The same platform as browsers see it. Default: `platformUrl`. */
  publicUrl?: string;
  key: string;
  /** Code of the brand, which pages send as window.crmbrand. Default demo. */
  brand?: string;
  /** The player behind the brand's fixed test session. Default test-1. */
  testUserId?: string;
  /** Events per second. 0 sends no traffic. */
  rate: number;
  players: number;
  seed: string;
}

export type Demo = ReturnType<typeof createDemo>;

/** Maximum number of unacknowledged messages. It is small, so that a restarting platform does not receive too many at once. */
const underWayLimit = 16;
/** This operator also knows the players that `npm run simulate` invents, so that look-ups about them succeed. */
const population = { prefix: 'sim-', count: 100_000_000, isListed: false };

export function createDemo(options: DemoOptions) {
  const operator = createOperator({ prefix: '/operator', auth: options.auth, population, seed: options.seed });
  const simulation = createSimulation({
    seed: options.seed,
    players: options.players,
    books: operator.books,
    idPrefix: 'demo-',
    clock: () => Date.now() * 1000,
    firstNumber: Date.now(),
    characters: true,
  });
  // The interface requires `retry`. So an invalid event ends in quarantine, which the demo should show.
  const publisher = createPublisher({ url: options.platformUrl, key: options.key, connections: 4, onRefused: 'retry' });
  const published = createTraffic();
  const stopping = new AbortController();
  const testUserId = options.testUserId ?? 'test-1';
  const casinoPublisher: Pick<typeof publisher, 'publish'> = {
    publish(message, ...more) {
      published.add(message);
      return publisher.publish(message, ...more);
    },
  };
  const casino = createCasino(operator, casinoPublisher, stopping.signal, testUserId);
  const publicUrl = new URL(options.publicUrl ?? options.platformUrl);
  const policy = policyFor(publicUrl.origin);
  const platform = {
    url: publicUrl.href.replace(/\/$/, ''),
    brand: options.brand ?? 'demo',
    test_user_id: testUserId,
  };
  let running: Promise<void> = Promise.resolve();

  function* traffic(): Generator<Message> {
    for (const message of simulation) {
      published.add(message);
      yield message;
    }
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    if (path.startsWith('/operator/')) return operator.handle(req, res);
    if (path === '/live.json') return json(res, liveView({ operator, publisher, traffic: published, options }));
    if (path === '/health/live') return json(res, { status: 'ok' });
    if (path.startsWith('/api/')) return handleApi({ casino, platform }, req, res, path);
    if (path === '/crm-push-worker.js') return pushWorker(platform.url, res);
    return servePage(path, res, policy);
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });

  return {
    operator,
    simulation,
    publisher,
    /** Resolves with the address once calls are answered. Traffic starts at the same time. */
    async start(): Promise<string> {
      server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
      await once(server, 'listening');
      if (options.rate > 0) {
        const pace = { rate: options.rate, inFlight: underWayLimit, signal: stopping.signal };
        running = publisher.run(traffic(), pace);
      }
      return `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
    },
    async stop(): Promise<void> {
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      // Aborts calls that the platform has not answered yet. They were not acknowledged, so the platform need not have
      // stored them.
      await Promise.all([publisher.close(), running, closed]);
      simulation.close();
      casino.close();
    },
  };
}

function json(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify(body));
}
