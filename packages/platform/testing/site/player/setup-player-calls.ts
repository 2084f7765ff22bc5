import type { Envelope } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { type Brand, BrandRegistry } from '../../../src/brands/index.ts';
import { BucketLeases } from '../../../src/buckets/index.ts';
import { SignalSender } from '../../../src/channels/index.ts';
import { systemClock } from '../../../src/clock.ts';
import { connectionConfig } from '../../../src/database/index.ts';
import { DeriveWorker } from '../../../src/derive/index.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { Committer, Quarantine } from '../../../src/ingest/index.ts';
import { PostgresLedger } from '../../../src/ledger/postgres.ts';
import { documented } from '../../../src/site/api/document.ts';
import { sitePath, siteRoutes } from '../../../src/site/api/routes.ts';
import { ChannelSigner } from '../../../src/site/live/channel-signer.ts';
import { Sessions } from '../../../src/site/session/sessions.ts';
import { type IntentSetup, setupIntents } from '../../actions/intents/setup-intents.ts';
import { testVault } from '../../brand.ts';
import { testPush } from '../../channels/push/setup-push.ts';
import { type TestClock, testClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { failUndocumented } from '../../http/documented-answers.ts';
import { testLog } from '../../log.ts';

export interface Answer {
  status: number;
  // Tests check Data as JSON.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: Envelope<any>;
  retryAfter: string | undefined;
}

/**
 * Setup for tests of a player's calls: sandbox operator, worker, ledger and site API of one brand, all real, and two signed-in
 * players.
 */
export interface PlayerSetup {
  app: FastifyInstance;
  intents: IntentSetup;
  brand: Brand;
  clock: TestClock;
  committer: Committer;
  /** player_id of the signed-in players, each with the session `sid-<name>`. */
  players: Record<'anna' | 'ben', number>;
  call(who: 'anna' | 'ben' | null, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer>;
  /** Applies the events in the ledger, as a worker does. */
  derive(): Promise<void>;
}

export async function setupPlayerCalls(
  { pool, url }: TestDatabase,
  options: { functions?: Partial<Brand['settings']['site_functions']> } = {},
): Promise<PlayerSetup> {
  const intents = await setupIntents(pool);
  const { operator, gate, worker } = intents;
  const settings = { ...intents.brand.settings };
  settings.site_functions = { ...settings.site_functions, ...options.functions };
  const brand = { ...intents.brand, settings };
  const clock = testClock(systemClock());
  const players = { anna: await intents.knownPlayer('anna'), ben: await intents.knownPlayer('ben') };
  for (const name of ['anna', 'ben']) operator.books.signIn(name, `sid-${name}`);

  const registry = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await registry.refresh();
  const connection = connectionConfig(url, { name: 'test' });
  const ledger = new PostgresLedger({
    pool,
    connection,
    process: 'test',
    now: clock.now,
    log: testLog,
    ready: async () => {},
  });
  const committer = new Committer({ ledger, log: testLog });
  await committer.start();
  const quarantine = new Quarantine({ pool, committer, now: clock.now, ready: async () => {} });
  const leases = new BucketLeases({ pool, process: 'test', beginning: ledger.beginning, log: testLog });
  const derive = new DeriveWorker({
    pool,
    ledger,
    leases,
    brands: registry,
    clock: clock.now,
    log: testLog,
    consumers: [],
  });
  const signals = new SignalSender({ connection, process: 'test', log: testLog });
  const sessions = new Sessions({
    pool,
    clock: clock.now,
    brands: registry,
    clients: worker.clients,
    health: worker.health,
    signals,
    secrets: ['a secret for tests'],
    production: false,
  });
  const app = await createHttpServer({ edge: () => false, log: testLog, pagePaths: [sitePath] });
  failUndocumented(app, documented);
  await app.register(
    siteRoutes({
      pool,
      clock: clock.now,
      log: testLog,
      sessions,
      signals,
      gate,
      publicUrl: 'https://crm.example',
      brands: { byCode: (code) => (code === brand.code ? brand : undefined) },
      ingest: { committer },
      signer: new ChannelSigner({ secrets: ['a secret for tests'] }),
      push: testPush({ pool, clock: clock.now }),
    }),
  );
  onTestFinished(async () => {
    await app.close();
    await quarantine.stop();
    await committer.stop();
    await signals.stop();
    await leases.stop();
  });

  return {
    app,
    intents,
    brand,
    clock,
    committer,
    players,
    async call(who, method, path, body) {
      const answer = await app.inject({
        method,
        url: `${sitePath}/${brand.code}/Crm/${path}`,
        headers: { ...(who !== null && { authtoken: `sid-${who}` }), 'content-type': 'application/json' },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const retryAfter = answer.headers['retry-after']?.toString();
      return { status: answer.statusCode, body: answer.json(), retryAfter };
    },
    async derive() {
      await leases.runOnce();
      while ((await derive.runOnce()).moved > 0);
    },
  };
}
