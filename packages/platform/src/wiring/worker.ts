import {
  actionDueTimes,
  dropProtected,
  FundsPublisher,
  IntentRunner,
  ResolutionConsumer,
  Resolver,
} from '../actions/index.ts';
import { BucketLeases } from '../buckets/index.ts';
import { BulkRunner } from '../bulk/index.ts';
import {
  CampaignConsumer,
  CampaignLane,
  CampaignStarter,
  CampaignSweep,
  CampaignUpkeep,
  CampaignWakeupListener,
  CampaignWatch,
  insertProtectionNews,
} from '../campaigns/index.ts';
import {
  CallPlaces,
  CallSender,
  callTransport,
  EmailSender,
  EmailServers,
  EmailTransport,
  letListAgain,
  NotificationKeeper,
  PushKeyUpkeep,
  PushSender,
  PushTransport,
  playerChannels,
  SignalSender,
  SignalUpkeep,
} from '../channels/index.ts';
import { FeedWatch } from '../chores/index.ts';
import { AuditSealer } from '../console/index.ts';
import { openPool } from '../database/index.ts';
import { DeriveUpkeep, DeriveWorker, HistoryUpkeep, RebuildRunner } from '../derive/index.ts';
import { Gate, HoldUpkeep, Sealer } from '../gate/index.ts';
import { listUnsubscribeHeaders, UnsubscribeLinks } from '../hosted/index.ts';
import { QuarantineUpkeep } from '../ingest/index.ts';
import { bucketCount } from '../ledger/index.ts';
import { LedgerUpkeep, LedgerWakeupListener } from '../ledger/postgres.ts';
import { OperatorClients, OperatorHealth } from '../operator/calling/index.ts';
import { ClockWatch, LookUpScheduler, RefreshConsumer } from '../operator/players/index.ts';
import { TransitionFollower } from '../operator/protection/index.ts';
import { Reconciler } from '../operator/reconciliation/index.ts';
import { Resynchronizer } from '../operator/resync/index.ts';
import { RecordWriter, writeDueTimes } from '../operator/writeback/index.ts';
import { Eraser } from '../privacy/index.ts';
import { ReportPublisher, ReportUpkeep } from '../replies/index.ts';
import { BacktestRunner, ScenarioRunner } from '../scenarios/index.ts';
import {
  DueSweeper,
  NightlyRecomputations,
  noteReplacedOrRemoved,
  PlatformRules,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
} from '../segments/membership/index.ts';
import { endingWith, inOrder, type Service, stopping, together } from '../service.ts';
import { endExcluded, LogoutConsumer, SessionUpkeep, TrackedUpkeep } from '../site/index.ts';
import { type ProcessContext, sharedParts } from './shared.ts';

/**
 * How long a stopping worker waits for open calls. The supervisor allows 6 s in total (supervisor/children.ts): the
 * rest is for a batch of derive, and for releasing claims.
 */
const stopGraceMs = 3_500;

/** The role `worker`: derive, look-ups at the operators, rebuilds, and the chores. */
export function createWorker(context: ProcessContext): Service {
  const { config, databaseUrl, log, name } = context;
  const shared = sharedParts(context, { byKey: true });
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
  } = shared;
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
  // Buckets are shared among the workers that are alive. So are the rates of providers.
  const rateShare = () => leases.owned().size / bucketCount;

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
    // Called before the commit, for the same reason as the hints about exclusions below.
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
    // This follower has no guard, because it ends sessions, which does not depend on the time.
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
  const leavers = new TransitionFollower({ pool, log, guard, follower: 'campaigns', handle: insertProtectionNews });
  const logouts = new LogoutConsumer({ signals, brands });
  // Dozens of pushes begin at once, and must not take the connections of derive.
  const pushPool = openPool(databaseUrl, { name: `${name} push`, log, byKey: true, max: 4 });
  const ofSenders = { gate, brands, clock, log, stopGraceMs, vault: push.vault, publicUrl: config.public_url };
  const pushes = new PushSender({ ...ofSenders, ...push, guard, pool: pushPool, transport: new PushTransport() });

  const emailPool = openPool(databaseUrl, { name: `${name} email`, log, byKey: true, max: 4 });
  const links = new UnsubscribeLinks({ publicUrl: config.public_url, secrets });
  const emails = new EmailSender({
    ...ofSenders,
    guard,
    pool: emailPool,
    transport: new EmailTransport(),
    servers: new EmailServers(undefined, rateShare),
    tokens: messageTokens,
    unsubscribeHeaders: (brand_id, player_id) =>
      listUnsubscribeHeaders(links.link({ brand_id, player_id, channel: 'Email' })),
  });

  const callPool = openPool(databaseUrl, { name: `${name} calls`, log, byKey: true, max: 4 });
  const calls = new CallSender({
    ...ofSenders,
    guard,
    pool: callPool,
    transport: callTransport(),
    places: new CallPlaces(undefined, rateShare),
    tokens: messageTokens,
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
  const starts = new CampaignConsumer({ wake: campaigns.wake, triggerAge, brands, rules });
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
    onExchanged: noteReplacedOrRemoved,
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
    // All of these stop at the same time. If they stopped one after the other, their grace periods would add up. With open
    // calls at a slow operator, the sum would exceed the 10 s that a stop may take.
    together([
      inOrder([new DeriveUpkeep({ pool, ...chore }), leases, derive, wakeups, entries]),
      new LedgerUpkeep({ pool, now: guard.now, log, guard }),
      new HistoryUpkeep({
        pool,
        ledger,
        history,
        brands,
        onRemoved: (tx, players) => noteReplacedOrRemoved(tx, players, clock()),
        ...chore,
      }),
      segments,
      campaigns,
      new CampaignWatch({ ...chore, pool: campaignPool }),
      new CampaignSweep({ ...chore, pool: campaignPool }),
      new CampaignUpkeep({ ...chore, pool: campaignPool }),
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
      new Resynchronizer({ pool, brands, ...chore }),
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
