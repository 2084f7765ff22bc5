import { type SandboxOperator, startSandboxOperator } from '@croupier/sandbox';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { afterAll, onTestFinished } from 'vitest';
import { type Brand, BrandRegistry } from '../../src/brands/index.ts';
import type { SiteSignal } from '../../src/channels/index.ts';
import { connectionConfig } from '../../src/database/index.ts';
import { Gate } from '../../src/gate/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { Upgrades } from '../../src/http/upgrades.ts';
import { Committer, LateEvents, Quarantine } from '../../src/ingest/index.ts';
import { PostgresLedger } from '../../src/ledger/postgres.ts';
import { EndpointCircuits, OperatorClients, OperatorHealth } from '../../src/operator/calling/index.ts';
import { documented } from '../../src/site/api/document.ts';
import {
  ChannelSigner,
  type SessionOptions,
  Sessions,
  scriptRoutes,
  sitePath,
  siteRoutes,
} from '../../src/site/serving.ts';
import { createBrand, testVault } from '../brand.ts';
import { testPush } from '../channels/push/setup-push.ts';
import { noon, type TestClock, testClock } from '../clock.ts';
import { failUndocumented } from '../http/documented-answers.ts';
import { testLog } from '../log.ts';

/*
 * Setup for tests of the site: a brand with its sandbox operator, and the API of one or more api processes, all real. Both
 * clocks are held, including the one that measures durations.
 */
export const pageOrigin = 'https://casino.example';

export interface SiteAnswer {
  status: number;
  // Tests check the answers as JSON, not through the types of the code under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  headers: Record<string, unknown>;
}

export interface SiteCall {
  /** The credential, in the header authtoken. */
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  from?: string;
}

/** One api process. */
export interface SiteProcess {
  app: FastifyInstance;
  sessions: Sessions;
  /** Writes events to the ledger. */
  committer: Committer;
  /** The signals that the process passed to `poke`. */
  poked: SiteSignal[];
  /** Calls a path below the brand's base address. */
  call(method: InjectOptions['method'], path: string, call?: SiteCall): Promise<SiteAnswer>;
  get(path: string, as?: string): Promise<SiteAnswer>;
  post(path: string, as: string, body?: unknown): Promise<SiteAnswer>;
  /** Exchanges a credential for an AuthToken. */
  token(as: string): Promise<string>;
}

export interface ProcessOptions extends Partial<SessionOptions> {
  /** Default: no sockets. */
  upgrades?: Upgrades;
  /** Default https://crm.example. */
  publicUrl?: string;
}

export interface SiteSetup extends SiteProcess {
  pool: Pool;
  brand: Brand;
  brands: BrandRegistry;
  operator: SandboxOperator;
  clock: TestClock;
  /** Advances both clocks. */
  pass(ms: number): void;
  /** How many times the operator was asked about a sid. */
  asked(): number;
  /** A player of the operator with a sid, who is new to the platform. @returns the sid */
  signIn(userId: string, sid?: string): string;
  another(options?: ProcessOptions): Promise<SiteProcess>;
  playerId(userId: string): Promise<number | undefined>;
}

/** @param options.settings further entries of the brand in the configuration file */
export async function setupSite(
  { pool, url }: { pool: Pool; url: string },
  options: {
    /** Default: the tests' log. */
    log?: Logger;
    settings?: Record<string, unknown>;
    operatorSettings?: Record<string, unknown>;
  } & ProcessOptions = {},
): Promise<SiteSetup> {
  const { settings, operatorSettings, log = testLog, ...sessionOptions } = options;
  const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
  const operator = await startSandboxOperator({ auth });
  const { brand } = await createBrand(pool, {
    operator: { base_url: operator.url, auth, ...operatorSettings },
    site_origins: [pageOrigin],
    ...settings,
  });
  const brands = new BrandRegistry({ pool, vault: testVault, log: testLog });
  await brands.refresh();
  const clock = testClock(noon);
  let ms = 0;
  const monotonic = () => ms;
  const ground = { pool, url, log, brand, brands, clock, monotonic };
  const stops: (() => Promise<void>)[] = [];
  const start = async (more: ProcessOptions) => {
    const { stop, ...process } = await startProcess(ground, more);
    stops.push(stop);
    return process;
  };
  const first = await start(sessionOptions);
  const finish = async () => {
    for (const stop of stops) await stop();
    await operator.stop();
  };
  atTheEnd(finish);

  return {
    ...first,
    pool,
    brand,
    brands,
    operator,
    clock,
    pass(by) {
      ms += by;
      clock.advance(by * 1_000);
    },
    asked: () => operator.calls.count('authenticate'),
    signIn(userId, sid = `sid-of-${userId}`) {
      if (operator.books.player(userId) === undefined) operator.books.addPlayer(userId);
      operator.books.signIn(userId, sid);
      return sid;
    },
    another: (more = {}) => start({ ...sessionOptions, ...more }),
    async playerId(userId) {
      const { rows } = await pool.query<{ player_id: number }>(
        'select player_id from player where brand_id = $1 and user_id = $2',
        [brand.brand_id, userId],
      );
      return rows[0]?.player_id;
    },
  };
}

/** Works both for a setup within a test, and for one at the top of a file. */
function atTheEnd(finish: () => Promise<void>): void {
  try {
    onTestFinished(finish);
  } catch {
    afterAll(finish);
  }
}

async function startProcess(
  ground: {
    pool: Pool;
    url: string;
    log: Logger;
    brand: Brand;
    brands: BrandRegistry;
    clock: TestClock;
    monotonic: () => number;
  },
  { upgrades, publicUrl = 'https://crm.example', ...more }: ProcessOptions,
): Promise<SiteProcess & { stop(): Promise<void> }> {
  const { pool, url, log, brand, brands, clock, monotonic } = ground;
  const now = clock.now;
  const circuits = new EndpointCircuits(monotonic);
  const health = new OperatorHealth({ pool, clock: now, log, circuits });
  const clients = new OperatorClients({ health });
  const poked: SiteSignal[] = [];
  // The signals that are passed to `poke` are those that were written.
  const signals = {
    poke: (written: readonly { signal_id: number }[]) => void poked.push(...(written as SiteSignal[])),
  };
  const sessions = new Sessions({
    pool,
    clock: now,
    brands,
    clients,
    health,
    signals,
    monotonic,
    secrets: ['a secret for tests'],
    production: false,
    ...more,
  });
  const connection = connectionConfig(url, { name: 'test' });
  const ledger = new PostgresLedger({ pool, connection, process: 'test', now, log, ready: async () => {} });
  const committer = new Committer({ ledger, log });
  await committer.start();
  const quarantine = new Quarantine({ pool, committer, now, ready: async () => {} });
  const late = new LateEvents({ pool, keys: brands, log });
  const app = await createHttpServer({
    edge: () => false,
    log,
    pagePaths: [sitePath],
    trustedProxies: ['127.0.0.1'],
    ...(upgrades === undefined ? {} : { upgrades }),
  });
  failUndocumented(app, documented);
  await app.register(scriptRoutes({ brands }));
  await app.register(
    siteRoutes({
      // For a pool of an unavailable database, which the sessions use, too.
      pool: more.pool ?? pool,
      clock: now,
      log,
      brands,
      sessions,
      signals,
      publicUrl,
      signer: new ChannelSigner({ secrets: ['a secret for tests'] }),
      push: testPush({ pool, clock: now }),
      gate: new Gate({ clock: now, brands }),
      ingest: { committer, late },
    }),
  );
  await app.ready();

  const call: SiteProcess['call'] = async (method, path, { as, body, headers = {}, from } = {}) => {
    const answer = await app.inject({
      method: method ?? 'GET',
      url: `${sitePath}/${brand.code}${path}`,
      headers: {
        ...(as === undefined ? {} : { authtoken: as }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
        ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = answer.body;
    return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
  };
  return {
    app,
    sessions,
    committer,
    poked,
    call,
    get: (path, as) => call('GET', path, as === undefined ? {} : { as }),
    post: (path, as, body) => call('POST', path, { as, body }),
    async token(as) {
      const { body } = await call('POST', '/Platform/LoginAuthToken', { as });
      return body.Data.Authentication.AuthToken;
    },
    async stop() {
      await app.close();
      await quarantine.stop();
      await committer.stop();
      await clients.stop();
    },
  };
}
