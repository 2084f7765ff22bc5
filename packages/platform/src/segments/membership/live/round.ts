import type { Micros } from '@croupier/contracts';
import type { PlayerView, Rule } from '@croupier/rules';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import { lockBuckets } from '../../../buckets/index.ts';
import type { Clock } from '../../../clock.ts';
import { awaitAll, type Scope, scopeOf, transaction } from '../../../database/index.ts';
import { takeNewPlayers } from '../../../derive/index.ts';
import { takeRecordChanges } from '../../../operator/protection/index.ts';
import { type ActiveVersion, inOrderOfNeed, type Phase } from '../active/active-version.ts';
import type { ActiveVersions } from '../active/registry.ts';
import { readActive, shareVersions } from '../active/store.ts';
import { insertNews, type PlayerNews, takeNews } from '../news/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { emptyOutcome, evaluatePlayer, type Outcome } from './player.ts';
import * as store from './store.ts';
import { type Work, workOf } from './work.ts';

/** Maximum number of news rows taken at once. */
const maxNews = 500;
/**
 * If a version has more players due at one moment than this, one statement sweeps them (settle/) instead of evaluating
 * them one by one.
 */
export const massDue = 1_000;
/** Maximum number of due times that one round computes exactly if it has nothing else to do. */
const maxRough = 200;

export interface RoundDeps {
  pool: Pool;
  brands: { byId(brandId: number): Brand | undefined };
  rules: RuleReading;
  active: ActiveVersions;
  /** Called for a version whose rule is not valid. */
  onFailure(version: ActiveVersion, error: unknown): void;
}

export interface RoundCounts {
  /** The number of news rows that were taken. */
  news: number;
  players: number;
  transitions: number;
  /** True if another round would find something now. */
  more: boolean;
  /** Versions with so many players due that a sweep must process them. */
  mass: number[];
  /** True if the round found nothing at all. */
  isIdle: boolean;
  /** The versions whose rule was evaluated. */
  evaluated: ReadonlySet<number>;
}

export const nothingFound: Readonly<RoundCounts> = {
  news: 0,
  players: 0,
  transitions: 0,
  more: false,
  mass: [],
  isIdle: true,
  evaluated: new Set(),
};

/** The players of a round: all players of the buckets by default. See isolate.ts. */
export interface RoundWithin {
  players?: readonly number[];
  /** Players who are left out. */
  except?: readonly number[];
  /** Called with the players of the round, before anything is processed. */
  onTaken?(players: readonly number[]): void;
}

/**
 * Runs one round over the players of some buckets, in one transaction: takes the news, evaluates the rules that it
 * affects, and writes membership, transitions and due times. After a crash, the news is still stored, and nothing is
 * done twice.
 */
export async function runRound(
  deps: RoundDeps,
  buckets: readonly number[],
  clock: Clock,
  { players, except = [], onTaken }: RoundWithin = {},
): Promise<RoundCounts> {
  return transaction(deps.pool, async (tx) => {
    const locked = await lockBuckets(tx, 'segments', buckets);
    const own: Scope = players === undefined ? { buckets: locked, except } : scopeOf(locked, players);
    const created = await takeNewPlayers(tx, own, maxNews);
    const createdIds = created.map(({ player_id }) => player_id);
    const [news, records, rows] = await awaitAll([
      takeNews(tx, own, createdIds, maxNews),
      takeRecordChanges(tx, own, maxNews),
      // Read after the news: a version that is not active yet was activated later, and its first computation includes
      // this news.
      readActive(tx),
    ]);
    // Do not read the clock earlier: the news that was taken must have happened before this moment.
    const at = clock();
    const known = await deps.active.load(rows.map(({ version_id }) => version_id));
    const phaseOf = new Map(rows.map(({ version_id, phase }) => [version_id, phase]));
    const active = known.filter(({ version_id }) => phaseOf.get(version_id) !== 'kept');
    const taken = created.length + news.length + records.length;
    if (active.length === 0) return { ...nothingFound, news: news.length + created.length, isIdle: taken === 0 };
    const inForce = known.filter(({ version_id }) => phaseOf.get(version_id) !== 'computing');
    const versionIds = active.map(({ version_id }) => version_id);
    const listed = await store.listDue(tx, versionIds, at, massDue + 1);
    const mass = versionIds.filter((id) => listed.filter(({ version_id }) => version_id === id).length > massDue);
    const isOwn = inScope(own);
    const due = listed.filter(({ version_id, player_id }) => !mass.includes(version_id) && isOwn(player_id));
    const rough = taken + due.length === 0 ? await store.listRough(tx, versionIds, own, maxRough) : [];
    const touched = [...new Set([...created, ...news, ...records, ...due, ...rough].map(({ player_id }) => player_id))];
    if (touched.length === 0) return { ...nothingFound, mass, isIdle: mass.length === 0 };
    onTaken?.(touched);
    const members = groupByPlayer(await store.readMembers(tx, touched));
    const work = workOf(
      active,
      { at, created, news, records, due: [...due, ...rough] },
      (id) => members.get(id)?.keys() ?? [],
    );
    const outcome = await lookAtAll(tx, deps, { work, active, inForce, members, at });
    await write(tx, outcome);
    const full = created.length === maxNews || news.length >= maxNews || records.length === maxNews;
    // A settlement pauses regularly, so versions that wait for it are tried again soon, not at the next poll.
    const more = full || outcome.postponed > 0;
    return {
      news: news.length,
      players: work.size,
      transitions: outcome.transitions.length,
      more,
      mass,
      isIdle: false,
      evaluated: outcome.evaluated,
    };
  });
}

/** Whether a player is in the scope. A player of a scope of players is never left out. */
function inScope(scope: Scope): (playerId: number) => boolean {
  if ('players' in scope) {
    const players = new Set(scope.players);
    return (id) => players.has(id);
  }
  const buckets = new Set(scope.buckets);
  const except = new Set(scope.except);
  return (id) => buckets.has(id % 64) && !except.has(id);
}

interface Looking {
  work: Work;
  active: readonly ActiveVersion[];
  /** Versions whose members other rules refer to. */
  inForce: readonly ActiveVersion[];
  members: ReadonlyMap<number, Map<number, store.MemberRow>>;
  at: Micros;
}

async function lookAtAll(
  tx: PoolClient,
  deps: RoundDeps,
  { work, active, inForce, members, at }: Looking,
): Promise<Outcome & { postponed: number }> {
  const outcome = { ...emptyOutcome(), postponed: 0 };
  if (work.size === 0) return outcome;
  const ids = [...work.keys()];
  const ordered = inOrderOfNeed(active);
  const wanted = versionsWanted(ordered, work);
  const asksForTags = active.some(({ needs }) => needs.tags.size > 0);
  // Other data for the rules is read in the same step, after the locks of their versions.
  const [phases, players, dueRows, tags] = await awaitAll([
    shareVersions(tx, [...wanted]),
    store.readPlayers(tx, ids),
    store.readDues(tx, ids),
    asksForTags ? store.readTags(tx, ids) : undefined,
  ]);
  const dues = groupByPlayer(dueRows);
  const isWaiting = [...wanted].some((version_id) => !phases.has(version_id));
  const waiting = isWaiting ? postponed(work, phases, active) : [];
  outcome.postponed = waiting.length;
  outcome.news.push(...waiting);
  for (const [brandId, own] of byBrand(ordered)) {
    const brand = deps.brands.byId(brandId);
    if (brand === undefined) continue;
    const here = ids.filter((id) => players.get(id)?.brand_id === brandId);
    if (here.length === 0) continue;
    const reading = await deps.rules.of(
      brand,
      own.flatMap(({ needs }) => [...needs.fields]),
    );
    // A version whose rule refers to something that no longer exists fails when it is evaluated (evaluatePlayer). It must not prevent the
    // other versions from being loaded.
    const isReadable = ({ needs: { fields, facts } }: ActiveVersion) =>
      [...fields].every((field) => reading.catalog.field(field) !== undefined) &&
      [...facts].every((fact) => reading.catalog.fact(fact) !== undefined);
    const rules = own.flatMap((version): Rule[] =>
      version.rule !== null && phases.has(version.version_id) && isReadable(version) ? [version.rule] : [],
    );
    const views = await reading.loadViews(tx, { players: here, rules, at });
    const circumstances = {
      at,
      zone: brand.settings.time_zone,
      catalog: reading.catalog,
      ordered: own,
      phases,
      inForce: new Map(inForce.filter((one) => one.brand_id === brandId).map((one) => [one.code, one.version_id])),
      onFailure: deps.onFailure,
    };
    for (const id of here) {
      const player = players.get(id);
      const view: PlayerView | undefined = views.get(id);
      if (player === undefined || view === undefined) continue;
      const loaded = {
        player,
        view,
        members: members.get(id) ?? new Map<number, store.MemberRow>(),
        dues: dues.get(id) ?? new Map<number, store.DueRow>(),
        tags: tags?.get(id) ?? new Set<string>(),
      };
      evaluatePlayer(loaded, work.get(id) ?? new Map(), circumstances, outcome);
    }
  }
  return outcome;
}

/** The requested versions, and those that depend on them. */
function versionsWanted(ordered: readonly ActiveVersion[], work: Work): Set<number> {
  const wanted = new Set<number>();
  for (const own of work.values()) for (const version_id of own.keys()) wanted.add(version_id);
  const codes = new Set<string>();
  for (const { version_id, code, needs } of ordered) {
    if ([...needs.segments].some((one) => codes.has(one))) wanted.add(version_id);
    if (wanted.has(version_id)) codes.add(code);
  }
  return wanted;
}

/** News for versions that are being settled waits in separate rows. Due times do not change. */
function postponed(work: Work, phases: ReadonlyMap<number, Phase>, active: readonly ActiveVersion[]): PlayerNews[] {
  const brandOf = new Map(active.map(({ version_id, brand_id }) => [version_id, brand_id]));
  return [...work].flatMap(([player_id, versions]) =>
    [...versions].flatMap(([version_id, causes]) => {
      const kept = causes.filter(({ cause }) => cause.type !== 'time');
      if (phases.has(version_id) || kept.length === 0) return [];
      return [{ player_id, brand_id: brandOf.get(version_id) ?? 0, causes: kept, version_id }];
    }),
  );
}

function byBrand(versions: readonly ActiveVersion[]): Map<number, ActiveVersion[]> {
  const found = new Map<number, ActiveVersion[]>();
  for (const version of versions) found.set(version.brand_id, [...(found.get(version.brand_id) ?? []), version]);
  return found;
}

function groupByPlayer<Row extends { player_id: number; version_id: number }>(
  rows: readonly Row[],
): Map<number, Map<number, Row>> {
  const found = new Map<number, Map<number, Row>>();
  for (const row of rows) {
    const own = found.get(row.player_id) ?? new Map<number, Row>();
    found.set(row.player_id, own.set(row.version_id, row));
  }
  return found;
}

async function write(tx: PoolClient, outcome: Outcome): Promise<void> {
  await awaitAll([
    store.deleteMembers(tx, outcome.goneMembers),
    store.writeMembers(tx, outcome.members),
    store.deleteDues(tx, outcome.goneDues),
    store.writeDues(tx, outcome.dues),
    store.insertTransitions(tx, outcome.transitions),
    insertNews(tx, outcome.news),
  ]);
}
