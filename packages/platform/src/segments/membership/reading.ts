import type { Micros } from '@croupier/contracts';
import { checkRule, dependenciesOf, evaluate, type TraceRow } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { type TimePage, timePageSql, timePageValues, timestamptzText, transaction } from '../../database/index.ts';
import type { Cause } from './cause.ts';
import { countMembers } from './member-counts.ts';
import type { RuleReading } from './rule-reading.ts';
import { canCancel, type SegmentState, segmentStateOf } from './versions/state.ts';
import {
  readSegmentNeeds,
  readSegmentPage,
  readSegments,
  readVersions,
  type SegmentPage,
  type StoredSegment,
  type StoredVersion,
} from './versions/store.ts';
import { loadWholeViews } from './whole-views.ts';

/** A segment as shown to people. Its state follows from its versions. */
export interface ListedSegment {
  segment: StoredSegment;
  state: SegmentState;
  /** The version that is in force or failed. If none was ever published, the latest version. */
  shown: StoredVersion;
  /** The version that the next change replaces or follows. */
  latest: StoredVersion;
  draft: StoredVersion | undefined;
  /** The version that was published last, if it failed, even if the previous one is still in force and there is a newer draft. */
  failed: StoredVersion | undefined;
  computing: StoredVersion | undefined;
  /** Whether a person can cancel the computation, which is the first one of its version. */
  canCancel: boolean;
  /** 0 to 1 during a computation. */
  progress: number | null;
  /** True if the computation is slowed because the feed needs the capacity. */
  slowed: boolean;
  /** False until the first computation is finished. */
  hasMembers: boolean;
  /** In a page of a list, the number of a large version is up to 10 s old (member-counts.ts). */
  members: number;
  protected: number;
  /** Codes of segments whose rules refer to it. */
  used_by: string[];
}

/** @param of the code of one segment, or the page of a list */
export async function listSegments(pool: Pool, brandId: number, of: string | SegmentPage): Promise<ListedSegment[]> {
  const segments =
    typeof of === 'string' ? await readSegments(pool, brandId, { code: of }) : await readSegmentPage(pool, brandId, of);
  const versions = await readVersions(
    pool,
    segments.map(({ segment_id }) => segment_id),
  );
  const [counts, progress, needs] = await Promise.all([
    countMembers(
      pool,
      versions.flatMap((version) => (hasMembers(version) ? [version.version_id] : [])),
      { isExact: typeof of === 'string' },
    ),
    readProgress(pool),
    readSegmentNeeds(pool, brandId),
  ]);
  return segments.map((segment) => {
    const own = versions.filter(({ segment_id }) => segment_id === segment.segment_id);
    const inForce = own.find(({ state }) => isInForce(state));
    const computing = own.find(({ state }) => state === 'computing');
    const shown = inForce ?? computing ?? own[0];
    if (shown === undefined) throw new Error(`segment ${segment.code} has no version`);
    const { members = 0, protected: ofProtected = 0 } = counts.get(shown.version_id) ?? {};
    return {
      segment,
      shown,
      latest: own[0] ?? shown,
      computing,
      canCancel: own.some(canCancel),
      draft: own.find(({ state }) => state === 'draft'),
      failed: failedOf(own),
      state: segmentStateOf(
        own.map(({ state }) => state),
        segment.paused,
      ),
      progress: null,
      slowed: false,
      ...progress.get(computing?.version_id ?? shown.version_id),
      hasMembers: hasMembers(shown),
      members,
      protected: ofProtected,
      used_by: usersOf(segment.code, needs),
    };
  });
}

/** The segments whose rules refer to a segment, by code. */
function usersOf(code: string, needs: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...needs].flatMap(([user, needed]) => (user !== code && needed.has(code) ? [user] : [])).sort();
}

/** @param versions the newest first */
function failedOf(versions: readonly StoredVersion[]): StoredVersion | undefined {
  const latest = versions.find(({ published_at }) => published_at !== null);
  return latest?.reason == null ? undefined : latest;
}

/** The members of a version are known after its first computation. Until then, its rows are only those of finished portions. */
function hasMembers({ state, computed_at }: Pick<StoredVersion, 'state' | 'computed_at'>): boolean {
  return isInForce(state) && computed_at !== null;
}

function isInForce(state: StoredVersion['state']): boolean {
  return state === 'in_force' || state === 'failed';
}

/**
 * The version whose members a segment has. Unlike `listSegments`, this counts no members.
 *
 * @returns null before the first computation is finished; undefined if there is no such segment
 */
export async function versionWithMembers(
  pool: Pool,
  brandId: number,
  code: string,
): Promise<StoredVersion | null | undefined> {
  const [segment] = await readSegments(pool, brandId, { code });
  if (segment === undefined) return undefined;
  const versions = await readVersions(pool, [segment.segment_id]);
  const inForce = versions.find(({ state }) => isInForce(state));
  return inForce !== undefined && hasMembers(inForce) ? inForce : null;
}

async function readProgress(pool: Pool): Promise<Map<number, Pick<ListedSegment, 'progress' | 'slowed'>>> {
  const { rows } = await pool.query<{ version_id: number; done: number; total: number; slowed: boolean }>(
    'select version_id, done, total, slowed from segment_computation',
  );
  return new Map(
    rows.map(({ version_id, done, total, slowed }) => [
      version_id,
      { progress: total === 0 ? 1 : Math.min(1, done / total), slowed },
    ]),
  );
}

export interface ListedMember {
  player_id: number;
  user_id: string;
  since: Micros;
  protected: boolean;
}

interface MemberPage {
  /** The player_id after which the page begins. Undefined: the first page. */
  after?: number | undefined;
  limit: number;
  /** True: those who satisfy the rule and are excluded or blocked. Default false. */
  isProtected?: boolean;
}

/**
 * A page of the members of a segment, ordered by player_id. Empty before the first computation is finished.
 *
 * @returns undefined if there is no such segment
 */
export async function listMembers(
  pool: Pool,
  brandId: number,
  code: string,
  page: MemberPage,
): Promise<ListedMember[] | undefined> {
  const version = await versionWithMembers(pool, brandId, code);
  if (version === undefined) return undefined;
  return version === null ? [] : membersOfVersion(pool, version.version_id, page);
}

async function membersOfVersion(
  pool: Pool,
  versionId: number,
  { after = 0, limit, isProtected = false }: MemberPage,
): Promise<ListedMember[]> {
  const { rows } = await pool.query<ListedMember>(
    `select m.player_id, p.user_id, m.since, m.protected from segment_member m join player p using (player_id)
      where m.version_id = $1 and m.player_id > $2 and m.protected = $3 and p.erased_at is null order by m.player_id limit $4`,
    [versionId, after, isProtected, limit],
  );
  return rows;
}

const exportedAtOnce = 5_000;

/**
 * All members, in portions, so that a list of any length needs the memory of one portion. If a new version comes into
 * force meanwhile, it continues with the members of that version.
 *
 * @throws if the segment is deleted meanwhile, so that a list that was cut off does not look complete
 */
export async function* eachMember(
  pool: Pool,
  { segment_id, version_id: first }: Pick<StoredVersion, 'segment_id' | 'version_id'>,
  limit = exportedAtOnce,
): AsyncGenerator<ListedMember[]> {
  let after = 0;
  for (let version: number | undefined = first; version !== undefined; ) {
    const members: ListedMember[] = await membersOfVersion(pool, version, { after, limit });
    if (members.length > 0) yield members;
    after = members.at(-1)?.player_id ?? after;
    if (members.length < limit) version = await readSuccessor(pool, segment_id, version);
  }
}

/** The version in force that replaced this one; undefined if none did. */
async function readSuccessor(pool: Pool, segmentId: number, versionId: number): Promise<number | undefined> {
  const versions = await readVersions(pool, [segmentId]);
  const own = versions.find(({ version_id }) => version_id === versionId);
  if (own === undefined) throw new Error('the segment was deleted while its members were read');
  return own.state === 'past' ? versions.find(({ state }) => isInForce(state))?.version_id : undefined;
}

export interface ListedTransition {
  transition_id: number;
  user_id: string | null;
  code: string;
  transition: 'entered' | 'left';
  at: Micros;
  cause: Cause;
  version: number;
  silent: boolean;
}

type TransitionRow = Omit<ListedTransition, 'code'> & { segment_id: number };

const transitionColumns = `t.transition_id, case when p.erased_at is null then p.user_id end as user_id, t.segment_id, t.transition,
  t.at, t.cause, t.version, t.silent`;

/** Transitions of a segment, the newest first. */
async function listTransitions(
  pool: Pool,
  { segment_id }: { segment_id: number },
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<ListedTransition[]> {
  const { rows } = await pool.query<TransitionRow>(
    `select ${transitionColumns} from segment_transition t join player p on p.player_id = t.player_id
      where t.segment_id = $1 and ($2::bigint is null or t.transition_id < $2) order by t.transition_id desc limit $3`,
    [segment_id, before ?? null, limit],
  );
  return withCodes(pool, rows);
}

/** Transitions of a player by their time, the newest first. */
async function listOfPlayer(pool: Pool, playerId: number, page: TimePage): Promise<ListedTransition[]> {
  const { rows } = await pool.query<TransitionRow>(
    `select ${transitionColumns} from segment_transition t join player p on p.player_id = t.player_id
      where t.player_id = $1 ${timePageSql({ at: 't.at', key: 't.transition_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return withCodes(pool, rows);
}

/**
 * Transitions of a player that have one of these causes, the oldest first.
 * @param since no cause is earlier. The search starts here
 * @param until no cause is later. Default: no limit
 */
async function listCausedBy(
  pool: Pool,
  playerId: number,
  causes: readonly Readonly<Record<string, unknown>>[],
  { since, until, limit }: { since: Micros; until?: Micros; limit: number },
): Promise<ListedTransition[]> {
  const { rows } = await pool.query<TransitionRow>(
    `select ${transitionColumns} from segment_transition t join player p on p.player_id = t.player_id
      where t.player_id = $1 and t.at >= $2::timestamptz
        and exists (select from jsonb_array_elements($3::jsonb) c where t.cause @> c)
        and ($4::bigint is null or (t.cause ->> 'at')::bigint <= $4)
      order by t.at, t.transition_id limit $5`,
    [playerId, timestamptzText(since), JSON.stringify(causes), until ?? null, limit],
  );
  return withCodes(pool, rows);
}

async function withCodes(pool: Pool, rows: readonly TransitionRow[]): Promise<ListedTransition[]> {
  const names = await namesOf(
    pool,
    rows.map((row) => row.segment_id),
  );
  return rows.map(({ segment_id, ...row }) => ({ ...row, code: names.get(segment_id)?.code ?? '' }));
}

interface DayOfTransitions {
  /** YYYY-MM-DD */
  day: string;
  entered: number;
  left: number;
}

/**
 * How many players entered and left a segment on each of the last days of a zone, the oldest first. Each day is one range of an index
 * that has all columns of the count. Otherwise, PostgreSQL would read the rows of all these transitions.
 *
 * If a day has two midnights, PostgreSQL returns the second one. The day then begins an hour earlier.
 */
async function countTransitions(
  pool: Pool,
  { segment, zone, at, days }: { segment: { segment_id: number }; zone: string; at: Micros; days: number },
): Promise<DayOfTransitions[]> {
  const { rows } = await pool.query<DayOfTransitions>(
    `with last_days as (
            select (to_timestamp($2::bigint / 1e6) at time zone $3)::date - n as day from generate_series(-1, $4::int - 1) n),
          midnights as (select day, day::timestamp at time zone $3 as midnight from last_days),
          begins as (
            select day, case when ((midnight - interval '1 hour') at time zone $3)::date = day then midnight - interval '1 hour'
                             else midnight end as begin
              from midnights),
          ranges as (select day, begin, lead(begin) over (order by day) as "end" from begins)
     select to_char(r.day, 'YYYY-MM-DD') as day, c.entered, c."left"
       from ranges r cross join lateral (
         select (count(*) filter (where t.transition = 'entered'))::int as entered,
                (count(*) filter (where t.transition = 'left'))::int as "left"
           from segment_transition t where t.segment_id = $1 and t.at >= r.begin and t.at < r."end") c
      where r."end" is not null order by r.day`,
    [segment.segment_id, at, zone, days],
  );
  return rows;
}

/** Transitions, one by one and counted by day. */
export const segmentTransitions = {
  list: listTransitions,
  ofPlayer: listOfPlayer,
  causedBy: listCausedBy,
  byDay: countTransitions,
};

async function namesOf(
  pool: Pool,
  segmentIds: readonly number[],
): Promise<Map<number, { code: string; name: string }>> {
  const { rows } = await pool.query<{ segment_id: number; code: string; name: string }>(
    'select segment_id, code, name from segment where segment_id = any($1::int[])',
    [[...new Set(segmentIds)]],
  );
  return new Map(rows.map((row) => [row.segment_id, row]));
}

export interface PlayerSegment {
  code: string;
  name: string;
  version: number;
  since: Micros;
}

/** The segments that a player is a member of. */
export async function segmentsOfPlayer(pool: Pool, playerId: number): Promise<PlayerSegment[]> {
  const { rows: members } = await pool.query<{ version_id: number; since: Micros }>(
    'select version_id, since from segment_member where player_id = $1 and not protected',
    [playerId],
  );
  const { rows: versions } = await pool.query<{ version_id: number; version: number; code: string; name: string }>(
    `select v.version_id, v.version, s.code, s.name from segment_version v join segment s using (segment_id)
      where v.version_id = any($1::int[]) and v.state in ('in_force', 'failed') order by s.code`,
    [members.map(({ version_id }) => version_id)],
  );
  const since = new Map(members.map((row) => [row.version_id, row.since]));
  return versions.map(({ version_id, ...row }) => ({ ...row, since: since.get(version_id) ?? 0 }));
}

export interface PlayerInSegment {
  member: boolean;
  /** The player satisfies the rule and is excluded or blocked. */
  protected: boolean;
  since: Micros | null;
  /** The cause of the latest transition; null if the first computation made the player a member. */
  cause: Cause | null;
  trace: TraceRow[];
}

/** Whether a player is a member, since when and why, and the current result of each condition. */
export async function playerInSegment(
  pool: Pool,
  rules: RuleReading,
  { brand, version, player_id, at }: { brand: Brand; version: StoredVersion; player_id: number; at: Micros },
): Promise<PlayerInSegment> {
  const { rows } = await pool.query<{ protected: boolean; since: Micros; cause: Cause | null }>(
    `select m.protected, m.since, (select t.cause from segment_transition t where t.player_id = m.player_id and t.segment_id = $3
                                    order by t.transition_id desc limit 1) as cause
       from segment_member m where m.player_id = $1 and m.version_id = $2`,
    [player_id, version.version_id, version.segment_id],
  );
  const [row] = rows;
  const trace = await traceOf(pool, rules, { brand, version, player_id, at });
  const member = row !== undefined && !row.protected;
  return {
    member,
    protected: row?.protected ?? false,
    since: member ? row.since : null,
    cause: member ? row.cause : null,
    trace,
  };
}

async function traceOf(
  pool: Pool,
  rules: RuleReading,
  { brand, version: { rule }, player_id, at }: { brand: Brand; version: StoredVersion; player_id: number; at: Micros },
): Promise<TraceRow[]> {
  if (rule === null) return [];
  const reading = await rules.of(brand, dependenciesOf(rule).fields);
  // The rule reads a field that no longer exists. The version has failed, and its state contains the reason.
  if (checkRule(rule, reading.catalog, 'stored').length > 0) return [];
  return transaction(pool, async (tx) => {
    await tx.query('set local search_path = live, public');
    const whole = (await loadWholeViews(tx, reading, { players: [player_id], rules: [rule], at })).get(player_id);
    if (whole === undefined) return [];
    return evaluate(rule, whole, { catalog: reading.catalog, at, zone: brand.settings.time_zone }).trace;
  });
}
