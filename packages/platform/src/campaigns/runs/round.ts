import {
  dependsOnEarlierRuns,
  type EarlierRuns,
  type Input,
  mayChange,
  noEarlierRuns,
  rulesOf,
  withRun,
} from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PlayerView } from '@croupier/rules';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { lockBuckets } from '../../buckets/index.ts';
import type { SiteSignal } from '../../channels/index.ts';
import { awaitAll, type Scope, scopeOf, transaction } from '../../database/index.ts';
import { loadWholeViews, type RuleReading } from '../../segments/membership/index.ts';
import { zoneOf } from '../contact/rules.ts';
import {
  type ActiveRow,
  type Phase,
  type RunnableVersion,
  readActive,
  type Versions,
} from '../documents/active-store.ts';
import { awaitingSegments } from '../news/awaiting.ts';
import { type CampaignNews, causeKey, type EventNews, mayStart } from '../news/news.ts';
import { type PlayerNews, takeNews } from '../news/store.ts';
import { type Caused, readWithdrawn } from '../news/withdrawal-store.ts';
import { withdraws } from '../news/withdrawn.ts';
import { contextOf } from './context.ts';
import { type DriveDeps, drive, type RunAtHand } from './drive.ts';
import { concerns, type EnterableCampaign, entryOf } from './entries.ts';
import { isMoved, playersToWatch, readWatches } from './goal-watches.ts';
import type { Reading } from './reading.ts';
import type { Spoiled } from './spoiled.ts';
import * as store from './store.ts';

/** Maximum number of rows of news, and of due runs, per round. */
const maxNews = 500;
const maxRuns = 500;
/** Maximum number of runs per round that move to another version. It is low because events wait meanwhile. */
const maxMoved = 100;

export interface RoundDeps extends DriveDeps {
  pool: Pool;
  brands: { byId(brandId: number): Brand | undefined };
  rules: RuleReading;
  versions: Versions;
  /**
   * Maximum number of scheduled runs that take their first step in this round. The same maximum applies to runs that continue
   * after a pause. May be 0.
   */
  mostBegun: number;
  /** Called for a campaign whose entry cannot be read. */
  onFailure(version: RunnableVersion, error: unknown): void;
}

export interface RoundCounts {
  news: number;
  entered: number;
  moved: number;
  /** Runs that took their first step or continued after a pause. */
  begun: number;
  /** Whether another round would find work now. */
  more: boolean;
  /** Whether the round could look at all players of the buckets and at all kinds of work, and found nothing. */
  isIdle: boolean;
  /** Signals that the caller passes to `SignalSender.poke` after the commit. */
  signals: readonly SiteSignal[];
  /** Runs that failed because of their data. */
  spoiled: readonly Spoiled[];
}

/** What happened to the runs of one brand. */
export interface Driven {
  entered: number;
  moved: number;
  signals: readonly SiteSignal[];
  spoiled: readonly Spoiled[];
}

/** Options that make a round differ from a round over all players of the buckets: see isolate.ts. */
export interface RoundWithin {
  players?: readonly number[];
  /** Called with the players of the round, before anything is processed. */
  onTaken?(players: ReadonlySet<number>): void;
  /** Processes the players of one brand. Default: all of them together. */
  process?(tx: PoolClient, deps: RoundDeps, brand: Brand, round: Round): Promise<Driven>;
}

/**
 * Makes one round over the players of some buckets, in one transaction: takes news and due runs, starts runs, moves
 * runs, orders their effects. After a crash the news and the due times are still stored, and nothing is done twice.
 */
export async function runRound(
  deps: RoundDeps,
  buckets: readonly number[],
  at: Micros,
  { players, onTaken, process = ofBrand }: RoundWithin = {},
): Promise<RoundCounts> {
  return transaction(deps.pool, async (tx) => {
    const [, locked, active] = await awaitAll([
      tx.query('set local search_path = live, public'),
      lockBuckets(tx, 'campaigns', buckets),
      readActive(tx),
    ]);
    const own: Scope = scopeOf(locked, players);
    const inForce = await deps.versions.load(active.map(({ version_id }) => version_id));
    const entered = active.flatMap(({ version_id, phase }) =>
      phase === 'live' ? (inForce.get(version_id) ?? []) : [],
    );
    const phased = (phase: Phase) => active.filter((one) => one.phase === phase).map(({ campaign_id }) => campaign_id);
    const [news, due, unbegun, resumed, moving, ending] = await awaitAll([
      takeNews(tx, own, { limit: maxNews, awaiting: awaitingSegments(entered, at) }),
      store.lockDueRuns(tx, own, at, maxRuns),
      store.lockUnbegunRuns(tx, own, deps.mostBegun),
      store.lockPausedRuns(tx, phased('live'), own, deps.mostBegun),
      store.lockMovingRuns(tx, active, own, maxMoved),
      store.lockRunsOf(tx, phased('stopped'), own, maxRuns),
    ]);
    const touched = [...new Set(news.map(({ player_id }) => player_id))];
    const [open, reaching] = await awaitAll([
      store.lockOpenRuns(tx, touched),
      lockReachingRuns(tx, deps, { news, active, at }),
    ]);
    const runs = new Map(
      [...due, ...unbegun, ...resumed, ...moving, ...ending, ...open, ...reaching].map((run) => [run.run_id, run]),
    );
    const versions = await deps.versions.load([...active, ...runs.values()].map(({ version_id }) => version_id));
    const orphans = [...runs.values()].filter(({ version_id }) => !versions.has(version_id));
    await store.failOrphans(tx, idsOf(orphans), at);
    for (const { run_id } of orphans) runs.delete(run_id);
    const round: Round = {
      at,
      active,
      versions,
      news,
      runs: [...runs.values()],
      due: idsOf(due),
      resumed: idsOf(resumed),
      moving: idsOf(moving),
      ending: idsOf(ending),
    };
    onTaken?.(new Set([...touched, ...round.runs.map(({ player_id }) => player_id)]));
    const counts = { news: news.length, entered: 0, moved: 0 };
    const signals: SiteSignal[] = [];
    const spoiled: Spoiled[] = [];
    for (const brandId of new Set([...news, ...runs.values()].map(({ brand_id }) => brand_id))) {
      const brand = deps.brands.byId(brandId);
      if (brand === undefined) continue;
      const driven = await process(tx, deps, brand, round);
      counts.entered += driven.entered;
      counts.moved += driven.moved;
      signals.push(...driven.signals);
      spoiled.push(...driven.spoiled);
    }
    const isFull = [due, ending].some(({ length }) => length === maxRuns);
    const begun = Math.max(unbegun.length, resumed.length);
    const isPartly = (begun > 0 && begun === deps.mostBegun) || moving.length === maxMoved;
    const more = news.length === maxNews || isFull || isPartly;
    const isIdle = locked.length === buckets.length && deps.mostBegun > 0 && news.length === 0 && runs.size === 0;
    return { ...counts, begun: unbegun.length + resumed.length, more, isIdle, signals, spoiled };
  });
}

export interface Round {
  at: Micros;
  active: readonly ActiveRow[];
  versions: ReadonlyMap<number, RunnableVersion>;
  news: readonly PlayerNews[];
  /** Locked runs. They are open, or they are done and still watch for their goal. */
  runs: readonly store.RunRow[];
  /** The run_ids of the runs that are due. */
  due: ReadonlySet<number>;
  resumed: ReadonlySet<number>;
  moving: ReadonlySet<number>;
  ending: ReadonlySet<number>;
}

/** News that a campaign uses. */
export type Wanted = PlayerNews & { campaign: EnterableCampaign };

function idsOf(runs: readonly store.RunRow[]): Set<number> {
  return new Set(runs.map(({ run_id }) => run_id));
}

async function ofBrand(tx: PoolClient, deps: RoundDeps, brand: Brand, round: Round): Promise<Driven> {
  const { wanted, runs } = await workOf(deps, brand, round);
  if (wanted.length + runs.length === 0) return { entered: 0, moved: 0, signals: [], spoiled: [] };
  const left = leaveVersions(runs, round);
  const seen = await see(tx, deps, brand, round, { wanted, runs });
  const entered = await enter(tx, deps, wanted, seen);
  return { entered: entered.length, ...(await move(tx, deps, brand, round, seen, { entered, runs, left })) };
}

/** The news of a brand that its campaigns use, and its runs. */
export async function workOf(
  deps: RoundDeps,
  brand: Brand,
  round: Round,
): Promise<{ wanted: Wanted[]; runs: store.RunRow[] }> {
  const { brand_id } = brand;
  const reading = readingOf(brand, await deps.rules.of(brand), round);
  const campaigns = round.active.flatMap((active): EnterableCampaign[] => {
    const version = round.versions.get(active.version_id);
    return active.brand_id !== brand_id || version === undefined ? [] : [{ active, version }];
  });
  const wanted = newsOfBrand(brand, round).flatMap((one) =>
    campaigns.flatMap((campaign) => (isAbout(deps, campaign, one.news, reading) ? [{ campaign, ...one }] : [])),
  );
  return { wanted, runs: round.runs.filter((one) => one.brand_id === brand_id) };
}

function newsOfBrand({ brand_id }: Brand, { news }: Round): PlayerNews[] {
  return news.filter((one) => one.brand_id === brand_id);
}

function readingOf({ settings }: Brand, { catalog }: { catalog: Reading['catalog'] }, { at }: Round): Reading {
  return { at, zone: settings.time_zone, catalog };
}

/** The data of players that news and runs need. Erased players, and their views, are missing. */
export interface Seen {
  players: ReadonlyMap<number, store.RunPlayer>;
  views: ReadonlyMap<number, PlayerView>;
  earlier: readonly store.PlayersRuns[];
  /** Whether the cause of a run that has not begun was withdrawn earlier. */
  isWithdrawn(run: Caused): boolean;
  reading: Reading;
}

/**
 * Reads the players of news and runs. Call `leaveVersions` first: runs that move to the version in force must already have
 * it.
 */
async function see(
  tx: PoolClient,
  deps: RoundDeps,
  brand: Brand,
  round: Round,
  { wanted, runs }: { wanted: readonly Wanted[]; runs: readonly store.RunRow[] },
): Promise<Seen> {
  const { at, versions } = round;
  const brandRules = await deps.rules.of(brand);
  const ids = [...new Set([...wanted, ...runs].map(({ player_id }) => player_id))];
  const read = new Set([
    ...wanted.map(({ campaign }) => campaign.version),
    ...runs.map((run) => versions.get(run.version_id)),
  ]);
  const rules = [...read].flatMap((version) => (version === undefined ? [] : rulesOf(version.document)));
  const [players, views, earlier, isWithdrawn] = await awaitAll([
    store.readPlayers(tx, ids),
    loadWholeViews(tx, brandRules, { players: ids, rules, at }),
    readEarlierRuns(tx, wanted),
    readWithdrawn(tx, [
      ...wanted.flatMap(({ player_id, news }) => (mayStart(news) ? [{ player_id, cause: news }] : [])),
      ...runs.filter(({ state }) => state === 'active'),
    ]),
  ]);
  return { players, views, earlier, isWithdrawn, reading: readingOf(brand, brandRules, round) };
}

/** Starts the runs that news cause. */
export async function enterApart(
  tx: PoolClient,
  deps: RoundDeps,
  brand: Brand,
  round: Round,
  wanted: readonly Wanted[],
): Promise<store.RunRow[]> {
  return enter(tx, deps, wanted, await see(tx, deps, brand, round, { wanted, runs: [] }));
}

/** Moves runs: those that this round started (`entered`), and existing ones (`runs`). */
export async function moveApart(
  tx: PoolClient,
  deps: RoundDeps,
  brand: Brand,
  round: Round,
  { entered, runs }: { entered: readonly store.RunRow[]; runs: readonly store.RunRow[] },
): Promise<Omit<Driven, 'entered'>> {
  const left = leaveVersions(runs, round);
  const seen = await see(tx, deps, brand, round, { wanted: [], runs: [...entered, ...runs] });
  return move(tx, deps, brand, round, seen, { entered, runs, left });
}

async function move(
  tx: PoolClient,
  deps: RoundDeps,
  brand: Brand,
  round: Round,
  { players, views, isWithdrawn, reading }: Seen,
  of: {
    entered: readonly store.RunRow[];
    runs: readonly store.RunRow[];
    left: ReadonlyMap<number, RunnableVersion>;
  },
): Promise<Omit<Driven, 'entered'>> {
  const { at, versions } = round;
  const hand = (row: store.RunRow): RunAtHand | undefined => {
    const version = versions.get(row.version_id);
    const player = players.get(row.player_id);
    const view = views.get(row.player_id);
    if (version === undefined || player === undefined || view === undefined) return undefined;
    const phase = round.active.find(({ campaign_id }) => campaign_id === row.campaign_id)?.phase ?? 'stopped';
    const zone = zoneOf(player, brand.settings);
    const context = contextOf(version, row, { view, user_id: player.user_id, zone, reading, phase });
    return { row, version, brand, player, context, phase };
  };
  const newsByPlayer = Map.groupBy(newsOfBrand(brand, round), ({ player_id }) => player_id);
  const newsOf = ({ player_id }: store.RunRow) => (newsByPlayer.get(player_id) ?? []).map((one) => one.news);
  await store.deleteRuns(tx, idsOf(of.runs.filter(({ player_id }) => !players.has(player_id))));
  const protectionOf = ({ player_id }: store.RunRow) => players.get(player_id)?.protection ?? null;
  const queues = new Map<store.RunRow, Input[]>();
  for (const row of of.entered) {
    const others = { withdrawn: isWithdrawn(row), protection: protectionOf(row) };
    queues.set(row, inputsOf(row, newsBehindCause(newsOf(row), row), others));
  }
  for (const row of of.runs) {
    const { run_id } = row;
    const left = of.left.get(run_id);
    // A run that only leaves the campaign does not move to another version before that.
    const isLeaving = protectionOf(row) !== null || newsOf(row).some(({ type }) => type === 'protected');
    if (left !== undefined && isLeaving) row.version_id = left.version_id;
    const inputs = inputsOf(row, newsOf(row), {
      due: round.due.has(run_id),
      resumed: round.resumed.has(run_id),
      ending: round.ending.has(run_id),
      withdrawn: row.state === 'active' && isWithdrawn(row),
      left: isLeaving ? undefined : left,
      protection: protectionOf(row),
    });
    if (inputs.length > 0) queues.set(row, inputs);
  }
  const signals: SiteSignal[] = [];
  const spoiled: Spoiled[] = [];
  let moved = 0;
  // Each pass takes one input of each run, so that the gate decides about all runs together.
  while (queues.size > 0) {
    const inputs: { hand: RunAtHand; input: Input }[] = [];
    for (const [row, queue] of queues) {
      const own = hand(row);
      const input = own && nextInput(queue, own);
      if (input === undefined || own === undefined) queues.delete(row);
      else inputs.push({ hand: own, input });
    }
    const driven = await drive(tx, deps, inputs, at);
    await awaitAll([store.writeMoved(tx, driven.moved), store.insertStepRecords(tx, driven.records)]);
    const byId = new Map(driven.moved.map((one) => [one.run_id, one]));
    for (const row of queues.keys()) Object.assign(row, byId.get(row.run_id));
    signals.push(...driven.signals);
    spoiled.push(...driven.spoiled);
    moved += driven.moved.length;
  }
  return { moved, signals, spoiled };
}

/** Locks and returns the done runs that news change: their goal is reached, or their player is protected. */
async function lockReachingRuns(
  tx: PoolClient,
  deps: RoundDeps,
  { news, active, at }: Pick<Round, 'news' | 'active' | 'at'>,
): Promise<store.RunRow[]> {
  const watches = await readWatches(tx, playersToWatch(news, active));
  if (watches.length === 0) return [];
  const versions = await deps.versions.load(watches.map(({ version_id }) => version_id));
  const byPlayer = Map.groupBy(news, ({ player_id }) => player_id);
  const activeById = new Map(active.map((one) => [one.campaign_id, one]));
  const moved: number[] = [];
  for (const [brandId, own] of Map.groupBy(watches, ({ brand_id }) => brand_id)) {
    const brand = deps.brands.byId(brandId);
    if (brand === undefined) continue;
    const { catalog } = await deps.rules.of(brand);
    const reading: Reading = { at, zone: brand.settings.time_zone, catalog };
    for (const watch of own) {
      const version = versions.get(watch.version_id);
      const ofPlayer = (byPlayer.get(watch.player_id) ?? []).map((one) => one.news);
      if (
        version &&
        mayMove(() => isMoved(watch, version.document, ofPlayer, activeById.get(watch.campaign_id), reading))
      )
        moved.push(watch.run_id);
    }
  }
  return store.lockWatchingRuns(tx, moved);
}

/** Returns true for a run whose goal cannot be evaluated. It fails when it moves. */
function mayMove(isMoved: () => boolean): boolean {
  try {
    return isMoved();
  } catch {
    return true;
  }
}

/** Takes the next input that can change the run. @returns undefined if there is none, or if the run has ended */
function nextInput(queue: Input[], { row: { state, position }, version }: RunAtHand): Input | undefined {
  for (let input = queue.shift(); input !== undefined; input = queue.shift())
    if (mayChange(version.document, { state, ...position }, input)) return input;
  return undefined;
}

/** Assigns the version in force to runs that move to it. @returns the version that each run left */
function leaveVersions(runs: readonly store.RunRow[], { moving, active, versions }: Round) {
  const left = new Map<number, RunnableVersion>();
  for (const run of runs) {
    const to = active.find(({ campaign_id }) => campaign_id === run.campaign_id)?.version_id;
    const from = versions.get(run.version_id);
    if (!moving.has(run.run_id) || to === undefined || from === undefined) continue;
    left.set(run.run_id, from);
    run.version_id = to;
  }
  return left;
}

function isAbout(deps: RoundDeps, campaign: EnterableCampaign, news: CampaignNews, reading: Reading): boolean {
  try {
    return concerns(campaign, news, reading);
  } catch (error) {
    deps.onFailure(campaign.version, error);
    return false;
  }
}

async function readEarlierRuns(tx: PoolClient, wanted: readonly Wanted[]): Promise<store.PlayersRuns[]> {
  const counted = wanted.filter(({ campaign }) => dependsOnEarlierRuns(campaign.version.document.reentry));
  if (counted.length === 0) return [];
  return store.readEarlierRuns(
    tx,
    [...new Set(counted.map(({ player_id }) => player_id))],
    [...new Set(counted.map(({ campaign }) => campaign.version.campaign_id))],
  );
}

/**
 * For players with several causes for one campaign in this round, returns the causes that already started a run. A repeated cause starts
 * nothing. If it counted as a run, the rule of re-entry would refuse the next cause. A single cause needs no check, because its run is
 * unique.
 */
async function readStarted(tx: PoolClient, wanted: readonly Wanted[]): Promise<Set<string>> {
  const causes = wanted.flatMap(({ player_id, news, campaign: { version } }) =>
    mayStart(news) && dependsOnEarlierRuns(version.document.reentry)
      ? [{ player_id, campaign_id: version.campaign_id, cause_key: causeKey(news) }]
      : [],
  );
  const several = [
    ...Map.groupBy(causes, ({ player_id, campaign_id }) => `${player_id} ${campaign_id}`).values(),
  ].flatMap((own) => (own.length > 1 ? own : []));
  const started = several.length === 0 ? [] : await store.readStartedCauses(tx, several);
  return new Set(started.map((one) => `${one.player_id} ${one.campaign_id} ${one.cause_key}`));
}

async function enter(
  tx: PoolClient,
  deps: RoundDeps,
  wanted: readonly Wanted[],
  { players, views, earlier: read, isWithdrawn, reading }: Seen,
): Promise<store.RunRow[]> {
  const runs: store.NewRun[] = [];
  const keyOf = (one: { player_id: number; campaign_id: number }) => `${one.player_id} ${one.campaign_id}`;
  const earlier = new Map<string, EarlierRuns>(read.map((one) => [keyOf(one), one]));
  const started = await readStarted(tx, wanted);
  for (const { player_id, news, campaign } of wanted) {
    const player = players.get(player_id);
    const view = views.get(player_id);
    if (player === undefined || view === undefined || !mayStart(news)) continue;
    const key = keyOf({ player_id, campaign_id: campaign.version.campaign_id });
    const own = earlier.get(key) ?? noEarlierRuns;
    const cause = `${key} ${causeKey(news)}`;
    if (started.has(cause)) continue;
    try {
      const run = entryOf(campaign, { player, view, earlier: own }, news, reading);
      if (run === null) continue;
      runs.push(run);
      started.add(cause);
      // Runs that this round created also count, because two causes in one round are two entries. A run whose cause is already withdrawn
      // ends before its first step, and never counts.
      if (!isWithdrawn(run)) earlier.set(key, withRun(own, run.entered_at));
    } catch (error) {
      deps.onFailure(campaign.version, error);
    }
  }
  return store.insertRuns(tx, runs);
}

/** The news after the cause of a run that this round starts, without repeats of the cause. */
function newsBehindCause(news: readonly CampaignNews[], { cause_key }: store.RunRow): CampaignNews[] {
  const isCause = (one: CampaignNews) => mayStart(one) && causeKey(one) === cause_key;
  return news.slice(news.findIndex(isCause) + 1).filter((one) => !isCause(one));
}

/** The inputs of a run besides news. */
interface OtherInputs {
  due?: boolean;
  /** True if the campaign of the run continues after a pause. */
  resumed?: boolean;
  /** True if the campaign of the run was stopped. */
  ending?: boolean;
  /** True if the cause of the run was withdrawn before the run began. */
  withdrawn?: boolean;
  /** The version that the run left, if it moves to the version in force. */
  left?: RunnableVersion | undefined;
  /**
   * Why the player is protected. The news about it is not enough: it may be processed while the transaction that inserts the run is
   * still open.
   */
  protection?: store.RunPlayer['protection'];
}

/**
 * The inputs of a run, in order. If the player is protected or the campaign stopped, the run ends before anything else. A wait that is over
 * ends before the events that happened after its end, so a run that moves late takes the same way as one that moves on time.
 */
function inputsOf(
  { state, cause, due_at }: store.RunRow,
  news: readonly CampaignNews[],
  { due, resumed, ending, withdrawn, left, protection = null }: OtherInputs,
): Input[] {
  const inputs: Input[] = [];
  const reason = protection ?? news.find((one) => one.type === 'protected')?.reason;
  if (reason !== undefined) inputs.push({ kind: 'protected', reason });
  if (ending) inputs.push({ kind: 'stopped' });
  if (left !== undefined) inputs.push({ kind: 'moved', from: left.document, version: left.version });
  // A cause that is already withdrawn must not have an effect, so the run ends before its first step.
  if (state === 'active' && (withdrawn || news.some((one) => one.type === 'event' && withdraws(one, cause))))
    inputs.push({ kind: 'cause_withdrawn' });
  if (state === 'active') inputs.push({ kind: 'begin' });
  if (resumed) inputs.push({ kind: 'resumed' });
  const ofEvent = (one: EventNews): Input[] => {
    const { id, kind, at, row } = one;
    const input: Input = { kind: 'event', event: { id, kind, at, row } };
    return withdraws(one, cause) ? [{ kind: 'cause_withdrawn' }, input] : [input];
  };
  const events = news.filter((one) => one.type === 'event');
  const isBehind = ({ at }: EventNews) => due === true && state === 'waiting' && due_at !== null && at > due_at;
  inputs.push(...events.filter((one) => !isBehind(one)).flatMap(ofEvent));
  if (news.length > 0) inputs.push({ kind: 'changed' });
  if (due) inputs.push({ kind: 'due' });
  inputs.push(...events.filter(isBehind).flatMap(ofEvent));
  return inputs;
}
