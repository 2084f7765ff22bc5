import { randomBytes } from 'node:crypto';
import type { EventKind } from '@croupier/contracts';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Pool } from 'pg';
import { afterAll } from 'vitest';
import { type Brand, BrandRegistry, type Vault } from '../../src/brands/index.ts';
import { BucketLeases, storedCursors } from '../../src/buckets/index.ts';
import { CampaignConsumer } from '../../src/campaigns/index.ts';
import { BrandPushKeys, type SiteSignal } from '../../src/channels/index.ts';
import type { Grant, Role } from '../../src/console/access/roles.ts';
import { sessionMicros } from '../../src/console/accounts/sessions.ts';
import type { Provider } from '../../src/console/accounts/single-sign-on/provider.ts';
import { insertAccount, insertSession, replaceGrants } from '../../src/console/accounts/store.ts';
import { newSessionToken } from '../../src/console/accounts/tokens.ts';
import { consoleRoutes } from '../../src/console/api.ts';
import { documented } from '../../src/console/openapi.ts';
import { basePath } from '../../src/console/routing/endpoint.ts';
import { connectionConfig } from '../../src/database/index.ts';
import { DeriveWorker } from '../../src/derive/index.ts';
import { Gate } from '../../src/gate/index.ts';
import { UnsubscribeLinks } from '../../src/hosted/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { Committer, Quarantine } from '../../src/ingest/index.ts';
import type { Language } from '../../src/language.ts';
import { type Ledger, type LedgerHistory, playerHash } from '../../src/ledger/index.ts';
import { PostgresLedger } from '../../src/ledger/postgres.ts';
import { BonusLists, OperatorClients, OperatorHealth } from '../../src/operator/calling/index.ts';
import { RefreshConsumer } from '../../src/operator/players/index.ts';
import { ScenarioRunner } from '../../src/scenarios/index.ts';
import { PlatformRules, SegmentConsumer } from '../../src/segments/membership/index.ts';
import { createBrand, testVault } from '../brand.ts';
import { noon, type TestClock, testClock } from '../clock.ts';
import { setupDatabase } from '../database.ts';
import { failUndocumented } from '../http/documented-answers.ts';
import { testLog } from '../log.ts';

export const adminToken = 'the-admin-token-of-the-tests';
export const publicUrl = 'https://crm.example';

export interface Answer {
  status: number;
  // Tests check the answers as JSON, not through the types of the code under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  headers: Record<string, unknown>;
}

/** The console API with a real server, ledger, quarantine and database, and one brand. For tests. */
export interface TestConsole {
  app: FastifyInstance;
  /** Address of the database. */
  url: string;
  pool: Pool;
  clock: TestClock;
  ledger: Ledger;
  history: LedgerHistory;
  quarantine: Quarantine;
  bonusLists: BonusLists;
  operatorClients: OperatorClients;
  operatorHealth: OperatorHealth;
  publicUrl: string;
  singleSignOn: Provider | null;
  links: UnsubscribeLinks;
  gate: Gate;
  signals: { poke(signals: readonly SiteSignal[]): void };
  campaigns: { poke(): void };
  scenarios: ScenarioRunner;
  push: { vault: Vault; keys: BrandPushKeys };
  /** The signal that the process accepts no more calls. */
  stopping: AbortSignal;
  /** The signals that the console passed to `poke`. */
  poked: SiteSignal[];
  /** How many times it woke the lanes of campaigns. */
  wakeups(): number;
  brand: Brand;
  brands: BrandRegistry;
  /** Calls a path below /api/console/v1 with the admin token, another token, or none. */
  call(
    method: InjectOptions['method'],
    path: string,
    /** `language`: header Accept-Language. */
    more?: { body?: object; token?: string | null; language?: Language },
  ): Promise<Answer>;
  get(path: string, token?: string | null): Promise<Answer>;
  /** A session token of a new account with these grants. */
  signedIn(...grants: Grant[]): Promise<string>;
  /** A session token of a new account with one role at the brand. */
  as(role: Role): Promise<string>;
  /** Publishes a valid event, as the edge does after validation: durable when it resolves. */
  publish(kind: EventKind, body: { user_id: string; [field: string]: unknown }, brand?: Brand): Promise<void>;
  /** Applies everything that was published, as a worker would. */
  derive(): Promise<void>;
  /** Retries due parked events, as a worker would. */
  retry(): Promise<void>;
}

/** @param settings further entries of the brand in the configuration file */
export async function setupConsole(
  settings: Record<string, unknown> = {},
  clock: TestClock = testClock(noon),
  singleSignOn: Provider | null = null,
): Promise<TestConsole> {
  const { pool, url } = await setupDatabase();
  const brands = new BrandRegistry({ pool, vault: testVault, log: testLog });
  const malta = { code: 'malta', base_currency: 'EUR', time_zone: 'Europe/Malta' };
  const { brand } = await createBrand(pool, { ...malta, ...settings });
  await brands.refresh();
  const connection = connectionConfig(url, { name: 'test' });
  const ledger: Ledger = new PostgresLedger({
    pool,
    connection,
    process: 'test',
    now: clock.now,
    log: testLog,
    readers: () => storedCursors(pool, ledger.beginning),
    ready: async () => {},
  });
  const history = ledger.days;
  const committer = new Committer({ ledger, log: testLog });
  await committer.start();
  const quarantine = new Quarantine({ pool, committer, now: clock.now, ready: async () => {} });
  const leases = new BucketLeases({ pool, process: 'test', beginning: ledger.beginning, log: testLog });
  const refreshes = new RefreshConsumer({ brands, wake: () => {} });
  const changes = new SegmentConsumer({ wake: () => {}, triggerAge: () => 30 * 60_000_000 });
  const starts = new CampaignConsumer({
    wake: () => {},
    triggerAge: () => 30 * 60_000_000,
    brands,
    rules: new PlatformRules({ pool }),
  });
  const worker = new DeriveWorker({
    pool,
    ledger,
    leases,
    brands,
    clock: clock.now,
    log: testLog,
    consumers: [refreshes, changes, starts],
  });
  await leases.runOnce();
  const health = new OperatorHealth({ pool, clock: clock.now, log: testLog });
  const clients = new OperatorClients({ health });
  const bonusLists = new BonusLists({ clients, health, clock: clock.now });
  const links = new UnsubscribeLinks({ publicUrl, secrets: ['a secret for tests'] });
  const gate = new Gate({ clock: clock.now, brands });
  const poked: SiteSignal[] = [];
  const signals = { poke: (written: readonly SiteSignal[]) => void poked.push(...written) };
  const push = { vault: testVault, keys: new BrandPushKeys({ pool, vault: testVault, clock: clock.now }) };
  let wakeups = 0;
  const scenarios = new ScenarioRunner({ databaseUrl: url, vault: testVault, log: testLog });
  const campaigns = { poke: () => void wakeups++ };
  const stopping = new AbortController();
  const app = await createHttpServer({ edge: () => false, log: testLog, translatedPaths: [basePath] });
  failUndocumented(app, documented);
  await app.register(
    consoleRoutes({
      pool,
      clock: clock.now,
      log: testLog,
      publicUrl,
      adminToken,
      singleSignOn,
      brands,
      ledger,
      history,
      quarantine,
      links,
      bonusLists,
      operatorClients: clients,
      operatorHealth: health,
      gate,
      signals,
      campaigns,
      scenarios,
      push,
      stopping: stopping.signal,
    }),
  );
  await app.ready();
  afterAll(async () => {
    stopping.abort();
    await app.close();
    await scenarios.stop();
    await clients.stop();
    await quarantine.stop();
    await committer.stop();
  });

  const call: TestConsole['call'] = async (method, path, { body, token = adminToken, language } = {}) => {
    const answer = await app.inject({
      method: method ?? 'GET',
      url: `${basePath}${path}`,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(language !== undefined && { 'accept-language': language }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: answer.statusCode,
      body: answer.body === '' ? null : JSON.parse(answer.body),
      headers: answer.headers,
    };
  };

  const signedIn: TestConsole['signedIn'] = async (...grants) => {
    const email = `${randomBytes(4).toString('hex')}@example.com`;
    const accountId = await insertAccount(pool, email, 'no password fits this');
    if (accountId === null) throw new Error('two test accounts share a name');
    await replaceGrants(pool, accountId, grants);
    const { token, sha256 } = newSessionToken();
    const now = clock.now();
    const opened = { sha256, account_id: accountId, created_at: now, expires_at: now + sessionMicros };
    await insertSession(pool, {
      ...opened,
      signed_in_by: 'password',
      second_factor: false,
      device: 'Firefox on Linux',
      network: '192.0.2.0/24',
    });
    return token;
  };

  return {
    app,
    url,
    pool,
    clock,
    ledger,
    history,
    quarantine,
    bonusLists,
    operatorClients: clients,
    operatorHealth: health,
    links,
    publicUrl,
    singleSignOn,
    gate,
    signals,
    campaigns,
    scenarios,
    push,
    stopping: stopping.signal,
    poked,
    wakeups: () => wakeups,
    brand,
    brands,
    call,
    signedIn,
    async derive() {
      while ((await worker.runOnce()).moved > 0);
    },
    async retry() {
      await worker.retryOnce();
    },
    get: (path, token) => call('GET', path, token === undefined ? {} : { token }),
    as: (role) => signedIn({ brand_id: brand.brand_id, role }),
    publish(kind, body, { brand_id } = brand) {
      const player_hash = playerHash(brand_id, body.user_id);
      const entry = { brand_id, kind, player_hash, received_at: clock.now(), body: Buffer.from(JSON.stringify(body)) };
      return new Promise((resolve, reject) =>
        committer.add(entry, (refusal) => (refusal ? reject(new Error(refusal)) : resolve())),
      );
    },
  };
}
