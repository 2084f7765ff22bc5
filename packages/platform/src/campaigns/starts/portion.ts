import { noEarlierRuns, type Schedule, scheduledBetween } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { isDatabaseAway, isStatementTimeout, planForMany } from '../../database/index.ts';
import { audienceNamed, countAudience, listAudience } from '../../segments/audience/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import { zoneOf } from '../contact/rules.ts';
import { type ActiveRow, type RunnableVersion, readActive, type Versions } from '../documents/active-store.ts';
import type { ScheduleCause } from '../news/news.ts';
import { newRunFor } from '../runs/entries.ts';
import { failEntry } from '../runs/fail-entry.ts';
import type { Spoiled } from '../runs/spoiled.ts';
import { insertRuns, readEarlierRuns, readPlayers } from '../runs/store.ts';
import { playersInAudience } from './in-audience.ts';
import { catchUp } from './plan.ts';
import * as store from './store.ts';

/**
 * Players checked in one transaction. It takes some ten milliseconds, and blocks the process for a few of them: with 5,000
 * players, events would wait longer.
 */
export const portionPlayers = 1_000;
/**
 * Maximum number of a campaign's runs that wait for their first step; workers begin them between the rounds that process
 * events.
 */
const mostUnbegun = 5_000;

export interface PortionDeps {
  brands: { byId(brandId: number): Brand | undefined };
  rules: RuleReading;
  versions: Pick<Versions, 'load'>;
  /** Whether the start is slowed because the feed needs the capacity. The progress of the start shows this. */
  isSlowed: boolean;
}

export type Portion = 'more' | 'waits' | 'ended' | 'taken';

interface Starting {
  start: store.StoredStart;
  active: ActiveRow;
  version: RunnableVersion;
  entry: { schedule: Schedule; to?: string };
  brand: Brand;
  at: Micros;
}

/**
 * Processes the next players of a start, in the caller's transaction: players who enter get a run, and the position is written
 * with the runs. So a crash repeats nothing. Even if a portion is repeated, the cause (campaign and time) gives each player
 * only one run.
 *
 * Players enter the version that is currently in force.
 */
export async function workStart(
  tx: PoolClient,
  deps: PortionDeps,
  name: store.StartName,
  at: Micros,
  size = portionPlayers,
): Promise<Portion> {
  const starting = await startingOf(tx, deps, name, at);
  return typeof starting === 'string' ? starting : workPortion(tx, deps, starting, size);
}

/** Locks a start. @returns its outcome, if there is nothing to process */
async function startingOf(
  tx: PoolClient,
  deps: PortionDeps,
  name: store.StartName,
  at: Micros,
): Promise<Starting | Portion> {
  await planForMany(tx);
  const start = await store.lockStart(tx, name);
  if (start === undefined) return 'taken';
  const active = (await readActive(tx)).find(({ campaign_id }) => campaign_id === start.campaign_id);
  const version = active && (await deps.versions.load([active.version_id])).get(active.version_id);
  const brand = deps.brands.byId(start.brand_id);
  const entry = version?.document.entry;
  if (active === undefined || active.phase === 'stopped' || version === undefined || !entry || !('schedule' in entry))
    return end(tx, start, 'stopped', 'stopped', at);
  if (brand === undefined) return 'waits';
  return { start, active, version, entry, brand, at };
}

/**
 * Continues a start after a player whose run cannot be created. The player gets a failed run with the reason.
 *
 * @returns undefined if the start has ended, waits, or another process works on it
 */
export async function skipPlayer(
  tx: PoolClient,
  deps: PortionDeps,
  name: store.StartName,
  at: Micros,
  error: unknown,
): Promise<Spoiled | undefined> {
  const starting = await startingOf(tx, deps, name, at);
  if (typeof starting === 'string') return undefined;
  const { start, entry, brand, version } = starting;
  const members = entry.to === undefined ? undefined : await audienceNamed(tx, brand.brand_id, entry.to);
  const [player_id] = await candidatesOf(tx, brand, members, { after: start.after_id, limit: 1 });
  if (player_id === undefined) return undefined;
  const cause: ScheduleCause = { type: 'schedule', local: start.local, at: start.due_at };
  const spoiled = await failEntry(tx, { player_id, version, cause }, error, at);
  await store.saveStart(tx, {
    ...start,
    after_id: player_id,
    looked: start.looked + 1,
    started_at: start.started_at ?? at,
  });
  return spoiled;
}

type Members = Awaited<ReturnType<typeof audienceNamed>>;

function candidatesOf(
  tx: PoolClient,
  { brand_id }: Brand,
  members: Members,
  range: { after: number; limit: number },
): Promise<readonly number[]> {
  return members === undefined ? store.listCandidates(tx, { brand_id, ...range }) : listAudience(tx, members, range);
}

async function workPortion(tx: PoolClient, deps: PortionDeps, starting: Starting, size: number): Promise<Portion> {
  const { start, active, version, entry, brand, at } = starting;
  const { campaign_id, local } = start;
  if (active.phase === 'paused') return wait(tx, start, 'paused');
  const hasBegun = start.started_at !== null;
  if (!hasBegun && at - start.due_at > catchUp) return end(tx, start, 'skipped', 'missed', at);
  const members = entry.to === undefined ? undefined : await audienceNamed(tx, brand.brand_id, entry.to);
  if (entry.to !== undefined && members === undefined) return wait(tx, start, 'segment');
  const reason = deps.isSlowed ? 'feed' : null;
  // The limit must have room for a whole portion, because all of its players may enter. So no player has to be checked
  // again.
  if ((await store.countUnbegun(tx, campaign_id, mostUnbegun)) > mostUnbegun - size) return wait(tx, start, reason);
  const candidates = await candidatesOf(tx, brand, members, { after: start.after_id, limit: size });
  const total =
    start.total ??
    (members === undefined ? await store.countCandidates(tx, brand.brand_id) : await countAudience(tx, members));
  const here = await playersHere(tx, starting, candidates);
  const fit = await playersWhoFit(tx, deps.rules, starting, [...here.keys()]);
  const earlier = new Map((await readEarlierRuns(tx, fit, [campaign_id])).map((one) => [one.player_id, one]));
  const cause: ScheduleCause = { type: 'schedule', local, at: start.due_at };
  const runs = fit.flatMap((player_id) => {
    const player = here.get(player_id);
    const run =
      player && newRunFor({ active, version }, { player, earlier: earlier.get(player_id) ?? noEarlierRuns }, cause, at);
    return run ? [run] : [];
  });
  const entered = (await insertRuns(tx, runs)).length;
  const moved: store.StoredStart = {
    ...start,
    reason,
    total,
    after_id: candidates.at(-1) ?? start.after_id,
    looked: start.looked + candidates.length,
    entered: start.entered + entered,
    started_at: start.started_at ?? at,
  };
  if (candidates.length < size) return end(tx, moved, 'done', null, at);
  await store.saveStart(tx, moved);
  return 'more';
}

/** The candidates in whose time zone it is now the time of the start. If the brand's clock counts, these are all candidates. */
async function playersHere(tx: PoolClient, { start, entry, brand }: Starting, candidates: readonly number[]) {
  const players = await readPlayers(tx, candidates);
  const { local, due_at } = start;
  if (entry.schedule.zone !== 'player') return players;
  const isNow = new Map<string, boolean>();
  for (const player of players.values()) {
    const zone = zoneOf(player, brand.settings);
    if (!isNow.has(zone)) isNow.set(zone, scheduledBetween({ at: local }, due_at - 1, due_at, zone).length === 1);
    if (isNow.get(zone) === false) players.delete(player.player_id);
  }
  return players;
}

/** The candidates who satisfy the audience of the campaign, in the order of player_id. */
async function playersWhoFit(
  tx: PoolClient,
  rules: RuleReading,
  { version, brand, at }: Starting,
  players: readonly number[],
): Promise<readonly number[]> {
  const { audience } = version.document;
  if (audience === undefined || players.length === 0) return players.toSorted((a, b) => a - b);
  try {
    return await playersInAudience(tx, rules, { audience, brand, at }, players);
  } catch (error) {
    if (isDatabaseAway(error) && !isStatementTimeout(error)) throw error;
    throw new AudienceUnreadable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The audience of a campaign cannot be read, or takes too long to read. Only the start of this campaign fails. */
export class AudienceUnreadable extends Error {
  override name = 'AudienceUnreadable';
}

async function wait(tx: PoolClient, start: store.StoredStart, reason: string | null): Promise<Portion> {
  if (start.reason !== reason) await store.saveStart(tx, { ...start, reason });
  return 'waits';
}

async function end(
  tx: PoolClient,
  start: store.StoredStart,
  state: 'done' | 'stopped' | 'skipped',
  reason: string | null,
  at: Micros,
): Promise<Portion> {
  await store.saveStart(tx, { ...start, state, reason, finished_at: at });
  return 'ended';
}
