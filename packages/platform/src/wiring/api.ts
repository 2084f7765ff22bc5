import { consoleFolder } from '@croupier/console';
import { openApi } from '@croupier/contracts';
import { CampaignWakeupSender } from '../campaigns/index.ts';
import { SignalSender } from '../channels/index.ts';
import {
  consoleApiPath,
  consoleOpenApi,
  consolePage,
  consolePath,
  consoleRoutes,
  SingleSignOnProvider,
} from '../console/serving.ts';
import { openPool } from '../database/index.ts';
import { Gate } from '../gate/index.ts';
import { UnsubscribeLinks } from '../hosted/index.ts';
import { hostedPaths, hostedRoutes, Receipts, trackedPaths, trackedRoutes } from '../hosted/serving.ts';
import { databaseIsReady, healthRoutes } from '../http/health-routes.ts';
import { HttpService } from '../http/http-service.ts';
import { ApiMetrics, metricsRoutes } from '../http/metrics.ts';
import { openApiRoutes } from '../http/openapi-routes.ts';
import { createHttpServer } from '../http/server.ts';
import { registerStateMetrics } from '../http/state-metrics.ts';
import { Committer, createIngestEdge, LateEvents, Quarantine, RefusedCalls } from '../ingest/index.ts';
import { LedgerWakeupSender } from '../ledger/postgres.ts';
import { mediaRoutes } from '../media/index.ts';
import { BonusLists, OperatorClients, OperatorHealth } from '../operator/calling/index.ts';
import { replyRoutes } from '../replies/serving.ts';
import { ScenarioRunner } from '../scenarios/index.ts';
import { endingWith, inOrder, type Service, stopping, together } from '../service.ts';
import {
  ChannelSigner,
  LiveSite,
  messageSource,
  Sessions,
  scriptRoutes,
  siteOpenApi,
  sitePath,
  siteRoutes,
} from '../site/serving.ts';
import { platformState } from './platform-state.ts';
import { type ProcessContext, sharedParts } from './shared.ts';

/** The role `api`: ingest, hosted pages, console API, documentation, health and metrics, all on one port. */
export function createApi(context: ProcessContext): Service {
  const { config, databaseUrl, log, name } = context;
  const shared = sharedParts(context, { byKey: false });
  const {
    clock,
    databaseClock,
    clocks,
    pool,
    connection,
    brands,
    ledger,
    ledgerOn,
    history,
    secrets,
    push,
    messageTokens,
  } = shared;
  const wakeups = new LedgerWakeupSender({ connection, process: name, log });
  const campaigns = new CampaignWakeupSender({ connection, process: name, log });
  const scenarios = new ScenarioRunner({ databaseUrl, vault: push.vault, log });
  const committer = new Committer({
    ledger,
    log,
    limits: {
      maxPendingEvents: config.ingest.max_pending_events,
      maxPendingBytes: config.ingest.max_pending_bytes,
      maxBatchEvents: config.ingest.max_batch_events,
    },
    onCommit: (events) => {
      metrics.committed(events);
      wakeups.poke();
    },
  });
  const metrics = new ApiMetrics({ depth: () => committer.depth, storeOpen: () => committer.isOpen });
  // A separate pool, so that scrapes never wait for calls of operators and people, and never delay them.
  const metricsPool = openPool(databaseUrl, { name: `${name} metrics`, log, max: 1, statementTimeoutMs: 5_000 });
  registerStateMetrics(metrics.registry, () => platformState(metricsPool, ledgerOn(metricsPool), brands, clock), log);
  const quarantine = new Quarantine({ pool, committer, now: clock, ready: () => databaseClock.compared() });
  const health = new OperatorHealth({ pool, clock, log, process: name, guard: databaseClock });
  const clients = new OperatorClients({ health });
  const bonusLists = new BonusLists({ clients, health, clock });
  const late = new LateEvents({ pool, keys: brands, log });
  const refusedCalls = new RefusedCalls({ pool, clock, log, guard: databaseClock });
  const edge = createIngestEdge({
    late,
    committer,
    quarantine,
    now: clock,
    log,
    brandOf: (key) => brands.byKey(key),
    bodyLimit: config.ingest.max_body_bytes,
    onAnswer: (kind, status) => metrics.answered(kind, status),
    onRefused: (call) => refusedCalls.note(call),
  });
  const signals = new SignalSender({ connection, process: name, log });
  const production = config.public_url.startsWith('https:');
  const sessions = new Sessions({ pool, clock, brands, clients, health, signals, secrets, production });
  const gate = new Gate({ clock, brands });
  const ingest = { committer, late };
  const singleSignOn =
    config.single_sign_on === undefined
      ? null
      : new SingleSignOnProvider(config.single_sign_on, { publicUrl: config.public_url });
  const links = new UnsubscribeLinks({ publicUrl: config.public_url, secrets });
  const signer = new ChannelSigner({ secrets });
  // A separate pool, so that calls of people and operators never delay a message.
  const livePool = openPool(databaseUrl, { name: `${name} live`, log, max: 2, statementTimeoutMs: 5_000 });
  // A separate pool, so that pages and reports of people never wait for events, and never delay them.
  const consolePool = openPool(databaseUrl, {
    name: `${name} console`,
    log,
    max: 5,
    statementTimeoutMs: config.database.statement_timeout_ms,
  });
  const live = new LiveSite({
    pool: livePool,
    connection,
    process: name,
    clock,
    log,
    brands,
    signer,
    limits: config.sockets,
    publicUrl: config.public_url,
    registry: metrics.registry,
    messages: messageSource({ pool: livePool, clock }),
  });
  const metricsText = metricsRoutes({ text: () => metrics.registry.metrics(), token: config.metrics.token });
  const server = new HttpService({
    port: config.port,
    host: config.host,
    upgrades: live.sockets,
    build: async (stopping) => {
      const { trusted_proxies: trustedProxies, public_url: publicUrl } = config;
      const pagePaths = [...hostedPaths, ...trackedPaths, sitePath, consolePath];
      const app = await createHttpServer({
        edge,
        log,
        trustedProxies,
        pagePaths,
        translatedPaths: [consoleApiPath],
        upgrades: live.sockets,
      });
      await app.register(healthRoutes({ ready: () => databaseIsReady(pool) }));
      if (config.metrics.port === undefined) await app.register(metricsText);
      await app.register(openApiRoutes(apiDocuments));
      await app.register(consolePage({ folder: consoleFolder }));
      await app.register(
        consoleRoutes({
          pool: consolePool,
          clock,
          log,
          publicUrl,
          adminToken: config.admin_token,
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
          stopping,
        }),
      );
      await app.register(hostedRoutes({ pool, clock, log, brands, links, receipts: new Receipts({ secrets }) }));
      await app.register(trackedRoutes({ pool, clock, log, brands, tokens: messageTokens }));
      await app.register(
        replyRoutes({ pool, clock, log, vault: push.vault, brands, publicUrl, tokens: messageTokens, ingest }),
      );
      await app.register(scriptRoutes({ brands }));
      await app.register(mediaRoutes({ pool, clock, brands }));
      await app.register(
        siteRoutes({ pool, clock, log, brands, sessions, signals, signer, publicUrl, gate, ingest, push }),
      );
      return app;
    },
  });
  // A separate port that only scrapers can reach.
  const scrapes = new HttpService({
    port: config.metrics.port ?? 0,
    host: config.host,
    build: async () => {
      const app = await createHttpServer({ edge: () => false, log, trustedProxies: config.trusted_proxies });
      await app.register(metricsText);
      return app;
    },
  });
  return inOrder([
    clocks,
    endingWith(pool),
    endingWith(livePool),
    endingWith(consolePool),
    brands,
    stopping(wakeups),
    stopping(campaigns),
    stopping(scenarios),
    stopping(signals),
    committer,
    late,
    refusedCalls,
    stopping(quarantine),
    health,
    clients,
    ...(singleSignOn === null ? [] : [stopping(singleSignOn)]),
    live,
    // Computing a gauge may take seconds. This stops at the same time as the open calls, not after them.
    together([endingWith(metricsPool), server, ...(config.metrics.port === undefined ? [] : [scrapes])]),
  ]);
}

const apiDocuments = [
  { name: 'integration', title: 'Integration API: events that operators publish', document: openApi.integration },
  { name: 'operator', title: 'Operator API: what operators provide', document: openApi.operator },
  { name: 'site', title: 'Site API: notifications and inbox', document: siteOpenApi },
  { name: 'console', title: 'Console API', document: consoleOpenApi },
];
