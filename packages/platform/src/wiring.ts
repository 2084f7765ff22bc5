import { hostname } from 'node:os';
import { consoleFolder } from '@croupier/console';
import { openApi } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import {
  actionDueTimes,
  dropProtected,
  FundsPublisher,
  IntentRunner,
  ResolutionConsumer,
  Resolver,
} from './actions/index.ts';
import { BrandRegistry, Vault } from './brands/index.ts';
import { BucketLeases, countWorkers, storedCursors } from './buckets/index.ts';
import { BulkRunner } from './bulk/index.ts';
import {
  CampaignConsumer,
  CampaignLane,
  CampaignStarter,
  CampaignWakeupListener,
  CampaignWakeupSender,
  CampaignWatch,
  tellProtected,
} from './campaigns/index.ts';
import {
  BrandPushKeys,
  CallSender,
  callTransport,
  EmailSender,
  EmailTransport,
  letListAgain,
  MessageTokens,
  NotificationKeeper,
  PushKeyUpkeep,
  PushSender,
  PushTokens,
  PushTransport,
  playerChannels,
  SignalSender,
  SignalUpkeep,
} from './channels/index.ts';
import { DatabaseClock, FeedWatch, readProcessClocks } from './chores/index.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/index.ts';
import {
  AuditSealer,
  consoleOpenApi,
  consolePage,
  consolePath,
  consoleRoutes,
  SingleSignOnProvider,
} from './console/index.ts';
import { connectionConfig, openPool } from './database/index.ts';
import { DeriveUpkeep, DeriveWorker, HistoryUpkeep, parkedCounts, RebuildRunner } from './derive/index.ts';
import { Gate, HoldUpkeep, Sealer } from './gate/index.ts';
import {
  hostedPaths,
  hostedRoutes,
  listUnsubscribeHeaders,
  Receipts,
  trackedPaths,
  trackedRoutes,
  UnsubscribeLinks,
} from './hosted/index.ts';
import { databaseIsReady, healthRoutes } from './http/health-routes.ts';
import { HttpService } from './http/http-service.ts';
import { ApiMetrics, metricsRoutes } from './http/metrics.ts';
import { openApiRoutes } from './http/openapi-routes.ts';
import { createHttpServer } from './http/server.ts';
import { type PlatformState, registerStateMetrics } from './http/state-metrics.ts';
import {
  Committer,
  createIngestEdge,
  LateEvents,
  openQuarantine,
  Quarantine,
  QuarantineUpkeep,
} from './ingest/index.ts';
import type { Ledger } from './ledger/index.ts';
import { LedgerUpkeep, LedgerWakeupListener, LedgerWakeupSender, PostgresLedger } from './ledger/postgres.ts';
import { mediaRoutes } from './media/index.ts';
import { BonusLists, OperatorClients, OperatorHealth } from './operator/calling/index.ts';
import {
  ClockWatch,
  type LookUpBacklog,
  LookUpScheduler,
  RefreshConsumer,
  readBacklog,
} from './operator/players/index.ts';
import { TransitionFollower } from './operator/protection/index.ts';
import { Reconciler } from './operator/reconciliation/index.ts';
import { Resynchroniser } from './operator/resync/index.ts';
import { RecordWriter, writeDueTimes } from './operator/writeback/index.ts';
import { Eraser } from './privacy/index.ts';
import { ReportPublisher, ReportUpkeep, replyRoutes } from './replies/index.ts';
import { BacktestRunner, ScenarioRunner } from './scenarios/index.ts';
import {
  DueSweeper,
  NightlyRecomputations,
  noteRebuilt,
  PlatformRules,
  readFailingBuckets,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
} from './segments/membership/index.ts';
import { inOrder, type Service, together } from './service.ts';
import {
  ChannelSigner,
  endExcluded,
  LiveSite,
  LogoutConsumer,
  messageSource,
  Sessions,
  SessionUpkeep,
  scriptRoutes,
  siteOpenApi,
  sitePath,
  siteRoutes,
  TrackedUpkeep,
} from './site/index.ts';

/*
 * The one file that knows every stage.
 *
 *   operator -> ingest -> ledger -> derive -> operator look-ups -> gate -> actions -> operator
 *                                     |-> segments -> campaigns -> gate -> actions, channels
 *                                     \-> console API
 *   player -> hosted pages -> consents, here at once -> operator
 *          -> site API -> messages, events, claims
 *          -> providers, mail servers -> replies -> consents, ledger
 */

/** The options of a process, from the supervisor, or from a person who starts a single role. */
export interface ProcessContext {
  config: Config;
  databaseUrl: string;
  log: Logger;
  /** Unique among all processes of the database: 'api-1f3a', 'worker-09bc'. */
  name: string;
}

/**
 * How long a stopping worker waits for open calls. The supervisor allows 6 s in total (supervisor/children.ts): the
 * rest is for a batch of derive, and for releasing claims.
 */
const stopGraceMs = 3_500;

/** What both roles need. */
function groundOf({ config, databaseUrl, log, name }: ProcessContext, { byKey }: { byKey: boolean }) {
  const pool = openPool(databaseUrl, {
    name,
    log,
    byKey,
    max: config.database.max_connections,
    statementTimeoutMs: config.database.statement_timeout_ms,
  });
  // A separate pool, so that waiting for a connection, or slow statements of other code, do not distort the comparison.
  const clockPool = openPool(databaseUrl, { name: `${name} clock`, log, max: 1, statementTimeoutMs: 5_000 });
  const databaseClock = new DatabaseClock({ pool: clockPool, log, process: name });
  const clock = databaseClock.agreed;
  const connection = connectionConfig(databaseUrl, { name });
  const vault = new Vault(config.secret, config.previous_secrets);
  const brands = new BrandRegistry({ pool, vault, log });
  // Code that packs, drops or erases reads the time from the database.
  const ledgerOn = (on: Pool, now = databaseClock.now): Ledger =>
    new PostgresLedger({
      pool: on,
      connection,
      process: name,
      now,
      log,
      ready: () => databaseClock.compared(),
      readers: () => storedCursors(on, ledger.beginning),
    });
  const ledger = ledgerOn(pool, clock);
  const history = ledgerOn(pool).days;
  const secrets: [string, ...string[]] = [config.secret, ...config.previous_secrets];
  const push = {
    vault,
    keys: new BrandPushKeys({ pool, vault, clock }),
    tokens: new PushTokens({ secrets }),
  };
  const messageTokens = new MessageTokens({ secrets });
  const clocks = inOrder([endingWith(clockPool), databaseClock]);
  return {
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
  };
}

/** The role `api`: ingest, hosted pages, console API, documentation, health and metrics, all on one port. */
export function createApi(context: ProcessContext): Service {
  const { config, databaseUrl, log, name } = context;
  const ground = groundOf(context, { byKey: false });
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
  } = ground;
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
  const edge = createIngestEdge({
    late,
    committer,
    quarantine,
    now: clock,
    log,
    brandOf: (key) => brands.byKey(key),
    bodyLimit: config.ingest.max_body_bytes,
    onAnswer: (kind, status) => metrics.answered(kind, status),
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
    build: async () => {
      const { trusted_proxies: trustedProxies, public_url: publicUrl } = config;
      const pagePaths = [...hostedPaths, ...trackedPaths, sitePath, consolePath];
      const app = await createHttpServer({ edge, log, trustedProxies, pagePaths, upgrades: live.sockets });
      await app.register(healthRoutes({ ready: () => databaseIsReady(pool) }));
      if (config.metrics.port === undefined) await app.register(metricsText);
      await app.register(openApiRoutes(apiDocuments));
      await app.register(consolePage({ folder: consoleFolder }));
      await app.register(
        consoleRoutes({
          pool,
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
          gate,
          signals,
          campaigns,
          scenarios,
          push,
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
  // A port that only scrapers reach.
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
    brands,
    stopping(wakeups),
    stopping(campaigns),
    stopping(scenarios),
    stopping(signals),
    committer,
    late,
    stopping(quarantine),
    health,
    clients,
    ...(singleSignOn === null ? [] : [stopping(singleSignOn)]),
    live,
    // Computing a gauge may take seconds. It ends while the open calls end, not after them.
    together([endingWith(metricsPool), server, ...(config.metrics.port === undefined ? [] : [scrapes])]),
  ]);
}

const apiDocuments = [
  { name: 'integration', title: 'Integration API: events that operators publish', document: openApi.integration },
  { name: 'operator', title: 'Operator API: what operators provide', document: openApi.operator },
  { name: 'site', title: 'Site API: notifications and inbox', document: siteOpenApi },
  { name: 'console', title: 'Console API', document: consoleOpenApi },
];

/** The role `worker`: derive, look-ups at the operators, rebuilds, and the chores. */
export function createWorker(context: ProcessContext): Service {
  const { config, databaseUrl, log, name } = context;
  const ground = groundOf(context, { byKey: true });
  const {
    clock,
    databaseClock: guard,
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
  } = ground;
  // Code that drops, seals, packs or erases reads the time from the database, and is paused while this process's clock
  // is wrong.
  const chore = { clock: guard.now, log, guard };
  const leases = new BucketLeases({
    pool,
    process: name,
    beginning: ledger.beginning,
    log,
    guard,
    onChange: () => derive.wake(),
  });

  const health = new OperatorHealth({ pool, clock, log, process: name, guard });
  const clients = new OperatorClients({ health });
  const signals = new SignalSender({ connection, process: name, log });
  const lookUps = new LookUpScheduler({
    pool,
    brands,
    clients,
    health,
    clock,
    log,
    guard,
    stopGraceMs,
    // Before the commit, as for exclusions below.
    onRenewed: async (tx, players) => signals.poke(await letListAgain(tx, players)),
  });
  // Lists of millions of players are slow. Their statements use a separate pool, so that they do not take connections
  // from other work.
  const reconcilePool = openPool(databaseUrl, {
    name: `${name} reconcile`,
    log,
    byKey: true,
    max: 4,
    statementTimeoutMs: 0,
  });
  const reconciler = new Reconciler({ pool: reconcilePool, brands, clients, health, ...chore });
  const refreshes = new RefreshConsumer({ brands, wake: lookUps.wake });
  const writes = new RecordWriter({
    pool,
    brands,
    clients,
    health,
    clock,
    log,
    guard,
    stopGraceMs,
    onStored: lookUps.wake,
  });

  const gate = new Gate({ clock, brands });
  const intents = new IntentRunner({
    pool,
    brands,
    clients,
    health,
    gate,
    clock,
    log,
    guard,
    stopGraceMs,
    process: name,
  });
  const protections = new TransitionFollower({
    pool,
    log,
    guard,
    follower: 'actions',
    handle: async (tx, transitions) => void (await dropProtected(tx, transitions, { gate, clock })),
  });

  const exclusions = new TransitionFollower({
    pool,
    log,
    // No guard: it ends sessions, which does not depend on the time.
    follower: 'site',
    // Called before the commit, because the hint is delayed by a moment anyway. If it arrives too early, the poll finds
    // the change.
    handle: async (tx, transitions) => signals.poke(await endExcluded(tx, transitions)),
  });
  const withdrawals = new TransitionFollower({
    pool,
    log,
    guard,
    follower: 'channels',
    handle: async (tx, transitions) => {
      const at = clock();
      const { signals: written } = await playerChannels.protect(tx, transitions, at);
      signals.poke(written);
    },
  });
  const leavers = new TransitionFollower({ pool, log, guard, follower: 'campaigns', handle: tellProtected });
  const logouts = new LogoutConsumer({ signals, brands });
  // Dozens of pushes begin at once, and must not take the connections of derive.
  const pushPool = openPool(databaseUrl, { name: `${name} push`, log, byKey: true, max: 4 });
  const pushes = new PushSender({
    pool: pushPool,
    gate,
    brands,
    clock,
    log,
    guard,
    stopGraceMs,
    ...push,
    transport: new PushTransport(),
    publicUrl: config.public_url,
  });

  const emailPool = openPool(databaseUrl, { name: `${name} email`, log, byKey: true, max: 4 });
  const links = new UnsubscribeLinks({ publicUrl: config.public_url, secrets });
  const emails = new EmailSender({
    pool: emailPool,
    gate,
    brands,
    clock,
    log,
    guard,
    stopGraceMs,
    vault: push.vault,
    transport: new EmailTransport(),
    tokens: messageTokens,
    publicUrl: config.public_url,
    unsubscribeHeaders: (brand_id, player_id) =>
      listUnsubscribeHeaders(links.link({ brand_id, player_id, channel: 'Email' })),
  });

  const callPool = openPool(databaseUrl, { name: `${name} calls`, log, byKey: true, max: 4 });
  const calls = new CallSender({
    pool: callPool,
    gate,
    brands,
    clock,
    log,
    guard,
    stopGraceMs,
    vault: push.vault,
    transport: callTransport(),
    tokens: messageTokens,
    publicUrl: config.public_url,
  });

  const resolver = new Resolver({ pool, clock, log, guard });
  const resolutions = new ResolutionConsumer({ wake: resolver.wake });

  // Statements over many players must not take connections from derive, and have separate limits.
  const segmentPool = openPool(databaseUrl, {
    name: `${name} segments`,
    log,
    byKey: true,
    max: 4,
    statementTimeoutMs: 0,
  });
  const segmentLanePool = openPool(databaseUrl, { name: `${name} members`, log, byKey: true, max: 2 });
  const rules = new PlatformRules({ pool: segmentPool });
  const feed = new FeedWatch({ pool, log });
  const ofSegments = { pool: segmentPool, brands, rules, ...chore };
  const sweeper = new DueSweeper({ ...ofSegments, guard });
  const segments = new SegmentLane({
    ...ofSegments,
    pool: segmentLanePool,
    leases,
    guard,
    onMass: sweeper.want,
    onMoved: () => campaigns.wake(),
  });
  const triggerAge = (brandId: number) => (brands.byId(brandId)?.settings.trigger_age_minutes ?? 0) * 60_000_000;
  const changes = new SegmentConsumer({
    wake: segments.wake,
    triggerAge,
  });

  const campaignPool = openPool(databaseUrl, { name: `${name} campaigns`, log, byKey: true, max: 3 });
  const campaigns = new CampaignLane({
    pool: campaignPool,
    leases,
    brands,
    rules: new PlatformRules({ pool: campaignPool }),
    gate,
    links,
    signals,
    clock,
    log,
    guard,
    feed,
  });
  // Its statements over many players have separate limits.
  const starter = new CampaignStarter({ ...ofSegments, guard, feed, wake: campaigns.wake });
  const bulkPool = openPool(databaseUrl, { name: `${name} bulk`, log, byKey: true, max: 2 });
  const bulk = new BulkRunner({ pool: bulkPool, brands, gate, links, signals, clock, log, guard });
  const starts = new CampaignConsumer({ wake: campaigns.wake, triggerAge });
  const scenarios = new ScenarioRunner({ databaseUrl, vault: push.vault, log });
  const backtestPool = openPool(databaseUrl, { name: `${name} backtests`, log, max: 2 });
  const backtests = new BacktestRunner({
    ...chore,
    pool: backtestPool,
    ledger: ledgerOn(backtestPool),
    brands,
    rules: new PlatformRules({ pool: backtestPool }),
    scenarios,
  });

  const consumers = [refreshes, resolutions, logouts, changes, starts];
  const derive = new DeriveWorker({ pool, ledger, leases, brands, clock, log, consumers, onBatch: feed.derived });
  const reports = new ReportPublisher({ pool, ledger, clock, log, guard, onPublished: () => derive.wake() });
  const funds = new FundsPublisher({ pool, ledger, brands, clock, log, guard, onPublished: () => derive.wake() });
  // Rebuilds have separate connections, whose statements may take as long as they need.
  const rebuildPool = openPool(databaseUrl, { name: `${name} rebuild`, log, max: 4, statementTimeoutMs: 0 });
  const rebuilds = new RebuildRunner({
    pool: rebuildPool,
    ledger,
    history: ledgerOn(rebuildPool).days,
    brands,
    onExchanged: noteRebuilt,
    ...chore,
  });
  const erasurePool = openPool(databaseUrl, { name: `${name} erasure`, log, max: 4, statementTimeoutMs: 0 });
  const entries = new CampaignWakeupListener({ connection, process: name, log, onWakeup: campaigns.wake });
  const wakeups = new LedgerWakeupListener({ connection, process: name, log, onWakeup: () => derive.wake() });

  return inOrder([
    clocks,
    endingWith(pool),
    endingWith(rebuildPool),
    endingWith(erasurePool),
    endingWith(reconcilePool),
    endingWith(pushPool),
    endingWith(emailPool),
    endingWith(callPool),
    endingWith(segmentPool),
    endingWith(segmentLanePool),
    endingWith(campaignPool),
    endingWith(bulkPool),
    endingWith(backtestPool),
    stopping(scenarios),
    brands,
    stopping(signals),
    health,
    clients,
    // All of these stop at the same time. If they stopped one after the other, their grace periods would add up: with
    // open calls at a slow operator more than the 10 s that a stop may take.
    together([
      inOrder([new DeriveUpkeep({ pool, ...chore }), leases, derive, wakeups, entries]),
      new LedgerUpkeep({ pool, now: guard.now, log, guard }),
      new HistoryUpkeep({ pool, ledger, history, brands, ...chore }),
      segments,
      campaigns,
      new CampaignWatch({ ...chore, pool: campaignPool }),
      feed,
      starter,
      bulk,
      backtests,
      leavers,
      sweeper,
      new SegmentComputer({ ...ofSegments, guard, feed }),
      new NightlyRecomputations({ ...ofSegments, guard }),
      rebuilds,
      new Eraser({ pool: erasurePool, ledger: ledgerOn(erasurePool), brands, signals, ...chore }),
      new ClockWatch({
        pool,
        log,
        dueTimes: [...writeDueTimes, ...actionDueTimes, ...playerChannels.dueTimes],
      }),
      lookUps,
      reconciler,
      new Resynchroniser({ pool, brands, ...chore }),
      writes,
      protections,
      exclusions,
      withdrawals,
      new NotificationKeeper({ pool, brands, gate, signals, ...chore }),
      pushes,
      emails,
      calls,
      new PushKeyUpkeep({ pool, ...chore }),
      new SessionUpkeep({ pool, brands, ...chore }),
      new SignalUpkeep({ pool, log, guard }),
      intents,
      resolver,
      funds,
      reports,
      new Sealer({ pool, ...chore }),
      new AuditSealer({ pool, ...chore }),
      new TrackedUpkeep({ pool, ...chore }),
      new ReportUpkeep({ pool, ...chore }),
      new HoldUpkeep({ pool, ...chore }),
      new QuarantineUpkeep({ pool, brands, ...chore }),
    ]),
  ]);
}

/** The objects that the command line uses. None of them runs in the background. */
export interface CommandStages {
  /** Start it before code that erases or starts something, as `withRightClock` does. */
  databaseClock: DatabaseClock;
  brands: BrandRegistry;
  ledger: Ledger;
  eraser: Pick<Eraser, 'runOnce'>;
  /** Uses separate connections. The caller starts and stops it. */
  reconciler(): Service;
}

/** @param of.pool without a limit on statements: a person waits, and can press Ctrl-C */
export function createCommandStages(of: { pool: Pool; databaseUrl: string; vault: Vault; log: Logger }): CommandStages {
  const { pool, databaseUrl, vault, log } = of;
  const databaseClock = new DatabaseClock({ pool, log, process: `cli-${hostname().slice(0, 20)}-${process.pid}` });
  const clock = databaseClock.agreed;
  const chore = { clock, log, guard: databaseClock };
  const connection = connectionConfig(databaseUrl, { name: 'cli' });
  const brands = new BrandRegistry({ pool, vault, log });
  const ledger = new PostgresLedger({
    pool,
    connection,
    process: 'cli',
    now: clock,
    log,
    ready: () => databaseClock.compared(),
  });
  return {
    databaseClock,
    brands,
    ledger,
    eraser: new Eraser({ pool, ledger, brands, ...chore }),
    reconciler: () => {
      const own = openPool(databaseUrl, { name: 'cli reconcile', log, byKey: true, max: 4, statementTimeoutMs: 0 });
      const health = new OperatorHealth({ pool: own, ...chore });
      const clients = new OperatorClients({ health });
      const reconciler = new Reconciler({ pool: own, brands, clients, health, ...chore });
      return inOrder([endingWith(own), brands, health, clients, reconciler]);
    },
  };
}

/** The state of the whole installation, for the metrics. */
async function platformState(pool: Pool, ledger: Ledger, brands: BrandRegistry, clock: Clock): Promise<PlatformState> {
  const [lag, parked, failing, quarantined, damaged, workers, clocks, backlogs] = await Promise.all([
    storedCursors(pool, ledger.beginning).then((cursors) => ledger.lag(cursors)),
    parkedCounts(pool),
    readFailingBuckets(pool),
    openQuarantine(pool),
    ledger.damagedBlocks(),
    countWorkers(pool),
    readProcessClocks(pool),
    Promise.all(brands.all().map((brand) => readBacklog(pool, brand.brand_id))),
  ]);
  const sum = (count: (backlog: LookUpBacklog) => number) => backlogs.flat().reduce((all, one) => all + count(one), 0);
  return {
    derive_lag: lag.oldest_received_at === null ? 0 : Math.max(0, clock() - lag.oldest_received_at),
    derive_lag_blocks: lag.blocks,
    parked_players: parked.players,
    segment_buckets_failing: failing.buckets.length,
    quarantine_open: quarantined,
    damaged_blocks: damaged,
    look_ups_waiting: sum((backlog) => backlog.due + backlog.retrying),
    look_ups_parked: sum((backlog) => backlog.parked),
    workers,
    clock_offset_ms: clocks[0]?.offset_ms ?? 0,
  };
}

/** The first query opens the pool. The pool ends after all services that were started later. */
function endingWith(pool: Pool): Service {
  return { start: async () => {}, stop: () => pool.end() };
}

function stopping(service: { stop(): Promise<void> }): Service {
  return { start: async () => {}, stop: () => service.stop() };
}
