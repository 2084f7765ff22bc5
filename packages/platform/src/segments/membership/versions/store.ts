import type { Micros } from '@croupier/contracts';
import type { Rule } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import { type NamedPage, namedPageSql, namedPageValues, timestamptzText } from '../../../database/index.ts';
import type { SegmentState, VersionState } from './state.ts';

export interface StoredVersion {
  version_id: number;
  segment_id: number;
  version: number;
  kind: 'rule' | 'list';
  rule: Rule | null;
  hash: string;
  sentence: string;
  include_protected: boolean;
  state: VersionState;
  /** Whether campaigns start for players who enter or leave because of this version. It is set at publication. */
  starts_campaigns: boolean;
  reason: string | null;
  created_at: Micros;
  created_by: string;
  published_at: Micros | null;
  computed_at: Micros | null;
}

export interface StoredSegment {
  segment_id: number;
  brand_id: number;
  code: string;
  name: string;
  paused: boolean;
  created_at: Micros;
  created_by: string;
}

export async function insertSegment(
  tx: ClientBase,
  { brand_id, code, name }: Pick<StoredSegment, 'brand_id' | 'code' | 'name'>,
  by: { at: Micros; actor: string },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ segment_id: number }>(
    `insert into segment (brand_id, code, name, created_at, created_by) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning segment_id`,
    [brand_id, code, name, timestamptzText(by.at), by.actor],
  );
  return rows[0]?.segment_id;
}

const segmentColumns = 'segment_id, brand_id, code, name, paused, created_at, created_by';

/** The segments of a brand, or one of them. With `lock` they are locked against other changes. */
export async function readSegments(
  db: ClientBase | Pool,
  brand_id: number,
  { code, lock = false }: { code?: string; lock?: boolean } = {},
): Promise<StoredSegment[]> {
  const { rows } = await db.query<StoredSegment>(
    `select ${segmentColumns} from segment
      where brand_id = $1 and ($2::text is null or code = $2) order by code ${lock ? 'for update' : ''}`,
    [brand_id, code ?? null],
  );
  return rows;
}

const hasVersion = (state: VersionState) =>
  `exists (select from segment_version v where v.segment_id = s.segment_id and v.state = '${state}')`;
/** `segmentStateOf` in SQL, for the segment `s`. */
const stateInSql = `case when ${hasVersion('failed')} then 'failed' when ${hasVersion('computing')} then 'computing'
  when ${hasVersion('in_force')} then case when s.paused then 'paused' else 'live' end else 'draft' end`;

/** Selects one page of a list of segments. A condition that is omitted does not restrict it. */
export interface SegmentPage extends NamedPage {
  state?: SegmentState | undefined;
}

/** One page of a brand's segments, by name. */
export async function readSegmentPage(
  db: ClientBase | Pool,
  brand_id: number,
  { state, ...page }: SegmentPage,
): Promise<StoredSegment[]> {
  const { rows } = await db.query<StoredSegment>(
    `select ${segmentColumns} from segment s
      where brand_id = $1 and ($2::text is null or $2 = ${stateInSql})
        ${namedPageSql({ name: 'name', code: 'code' }, 3)}`,
    [brand_id, state ?? null, ...namedPageValues(page)],
  );
  return rows;
}

export async function readVersions(db: ClientBase | Pool, segmentIds: readonly number[]): Promise<StoredVersion[]> {
  const { rows } = await db.query<StoredVersion>(
    `select version_id, segment_id, version, kind, rule, hash, sentence, include_protected, state, starts_campaigns, reason, created_at,
            created_by, published_at, computed_at
       from segment_version where segment_id = any($1::int[]) order by segment_id, version desc`,
    [segmentIds],
  );
  return rows;
}

export async function renameSegment(tx: ClientBase, segmentId: number, name: string): Promise<void> {
  await tx.query('update segment set name = $2 where segment_id = $1', [segmentId, name]);
}

export async function pauseSegment(tx: ClientBase, segmentId: number, paused: boolean): Promise<void> {
  await tx.query('update segment set paused = $2 where segment_id = $1', [segmentId, paused]);
}

export type NewVersion = Pick<StoredVersion, 'kind' | 'rule' | 'hash' | 'sentence' | 'include_protected'>;

/** Saves the draft of a segment: a new version, or a change of the existing draft. */
export async function saveDraft(
  tx: ClientBase,
  segmentId: number,
  { kind, rule, hash, sentence, include_protected }: NewVersion,
  by: { at: Micros; actor: string },
): Promise<number> {
  const { rows } = await tx.query<{ version_id: number }>(
    `insert into segment_version (segment_id, version, kind, rule, hash, sentence, include_protected, state, created_at, created_by)
     select $1::int, coalesce(max(version), 0) + 1, $2::text, $3::jsonb, $4::text, $5::text, $6::boolean, 'draft', $7::timestamptz, $8::text
       from segment_version where segment_id = $1
     on conflict (segment_id) where state = 'draft' do update
       set kind = excluded.kind, rule = excluded.rule, hash = excluded.hash, sentence = excluded.sentence,
           include_protected = excluded.include_protected, created_at = excluded.created_at, created_by = excluded.created_by
     returning version_id`,
    [
      segmentId,
      kind,
      rule === null ? null : JSON.stringify(rule),
      hash,
      sentence,
      include_protected,
      timestamptzText(by.at),
      by.actor,
    ],
  );
  return rows[0]?.version_id ?? 0;
}

export async function setVersionState(
  tx: ClientBase | Pool,
  versionId: number,
  state: VersionState,
  change: { reason?: string; published_at?: Micros; computed_at?: Micros; starts_campaigns?: boolean } = {},
): Promise<void> {
  const { reason = null, published_at, computed_at, starts_campaigns } = change;
  await tx.query(
    `update segment_version set state = $2, reason = $3, published_at = coalesce($4::timestamptz, published_at),
            computed_at = coalesce($5::timestamptz, computed_at), starts_campaigns = coalesce($6::boolean, starts_campaigns)
      where version_id = $1`,
    [
      versionId,
      state,
      reason,
      published_at === undefined ? null : timestamptzText(published_at),
      computed_at === undefined ? null : timestamptzText(computed_at),
      starts_campaigns ?? null,
    ],
  );
}

/** From now on, the version's members are maintained: events that its rule uses write news. */
export async function activate(
  tx: ClientBase,
  version: { version_id: number; segment_id: number; brand_id: number; code: string },
  phase: 'computing' | 'in_force',
  kinds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into segment_active (version_id, segment_id, brand_id, code, phase, kinds) values ($1, $2, $3, $4, $5, $6)
     on conflict (version_id) do update set phase = excluded.phase, kinds = excluded.kinds`,
    [version.version_id, version.segment_id, version.brand_id, version.code, phase, kinds],
  );
}

/** From now on, the members do not change, but other rules still read them. No other rule reads a version that never came into force. */
export async function keepAsIs(tx: ClientBase | Pool, versionId: number): Promise<void> {
  await tx.query(`delete from segment_active where version_id = $1 and phase = 'computing'`, [versionId]);
  await tx.query(`update segment_active set phase = 'kept', kinds = '{}' where version_id = $1`, [versionId]);
  await tx.query('delete from segment_computation where version_id = $1', [versionId]);
}

/** Call it before `lockVersion`, because a computation locks its own row first. In the other order, the two would deadlock. */
export async function deactivate(tx: ClientBase | Pool, versionId: number): Promise<void> {
  await tx.query('delete from segment_active where version_id = $1', [versionId]);
  await tx.query('delete from segment_computation where version_id = $1', [versionId]);
}

/** Deletes the members and the due times of a version. */
export async function forgetPlayers(tx: ClientBase, versionId: number): Promise<void> {
  await tx.query('delete from segment_member where version_id = $1', [versionId]);
  await tx.query('delete from segment_due where version_id = $1', [versionId]);
}

/** Deletes the list of a version. */
export async function forgetList(tx: ClientBase, versionId: number): Promise<void> {
  await tx.query('delete from segment_listed where version_id = $1', [versionId]);
}

/**
 * Marks a version whose rule cannot be evaluated as failed: its members do not change any more, and its state contains
 * the reason.
 */
export async function failVersion(pool: Pool, versionId: number, reason: string): Promise<void> {
  const { rowCount } = await pool.query(
    `update segment_version set state = 'failed', reason = $2 where version_id = $1 and state in ('computing', 'in_force')
       and not exists (select from segment_version o where o.segment_id = segment_version.segment_id and o.state in ('in_force', 'failed')
                          and o.version_id <> $1)`,
    [versionId, reason],
  );
  if (rowCount === 0) await withdrawVersion(pool, versionId, reason);
  await keepAsIs(pool, versionId);
}

/**
 * A version that is being computed becomes a draft again, or a past version if there is a newer draft. The version in force does not
 * change.
 *
 * @param reason why it failed. Null: it was cancelled, and counts as never published
 */
export async function withdrawVersion(db: ClientBase | Pool, versionId: number, reason: string | null): Promise<void> {
  await db.query(
    `update segment_version v set reason = $2, published_at = case when $2::text is not null then published_at end,
            starts_campaigns = starts_campaigns and $2::text is not null,
            state = case when exists (
              select from segment_version d where d.segment_id = v.segment_id and d.state = 'draft') then 'past' else 'draft' end
      where version_id = $1 and state = 'computing'`,
    [versionId, reason],
  );
}

/** @throws if it does not exist */
export async function readVersionById(
  db: ClientBase | Pool,
  versionId: number,
): Promise<{ version: StoredVersion; segment: StoredSegment }> {
  const { rows } = await db.query<StoredSegment>(
    `select s.segment_id, s.brand_id, s.code, s.name, s.paused, s.created_at, s.created_by
       from segment s join segment_version v using (segment_id) where v.version_id = $1`,
    [versionId],
  );
  const [segment] = rows;
  const versions = segment === undefined ? [] : await readVersions(db, [segment.segment_id]);
  const version = versions.find(({ version_id }) => version_id === versionId);
  if (segment === undefined || version === undefined)
    throw new Error(`the segment version ${versionId} does not exist`);
  return { segment, version };
}

/** Versions of other segments, in force or a draft, whose rule refers to a segment. */
export async function readDependents(
  db: ClientBase | Pool,
  { brand_id, code }: { brand_id: number; code: string },
): Promise<{ version_id: number; brand_id: number; code: string; state: VersionState }[]> {
  const { rows } = await db.query<{ version_id: number; brand_id: number; code: string; state: VersionState }>(
    `select v.version_id, s.brand_id, s.code, v.state from segment_version v join segment s using (segment_id)
      where s.brand_id = $1 and s.code <> $2 and v.state <> 'past'
        and jsonb_path_exists(v.rule, '$.**.field ? (@ == $field)', jsonb_build_object('field', 'segment.' || $2::text))
      order by s.code`,
    [brand_id, code],
  );
  return rows;
}

/**
 * The dependents whose members are maintained. A version that is being computed is one of them: players of its finished
 * portions were evaluated with the earlier members of the segment.
 */
export async function readActiveDependents(
  tx: ClientBase,
  segment: { brand_id: number; code: string },
): Promise<{ version_id: number; brand_id: number }[]> {
  return (await readDependents(tx, segment)).filter(({ state }) => state === 'in_force' || state === 'computing');
}

/** The result of an uploaded list. */
export async function setSentence(tx: ClientBase, versionId: number, sentence: string): Promise<void> {
  await tx.query('update segment_version set sentence = $2 where version_id = $1', [versionId, sentence]);
}

export interface SavedList {
  /** The number of different user_ids. */
  given: number;
  /** The number of the brand's players among them. */
  listed: number;
  unknown: number;
  /** The first unknown user_ids. */
  unknown_user_ids: string[];
}

const shownUnknown = 100;

/** Replaces the list of a version. It leaves out user_ids that are not players of the brand. */
export async function writeList(
  tx: ClientBase,
  versionId: number,
  brandId: number,
  userIds: readonly string[],
): Promise<SavedList> {
  await forgetList(tx, versionId);
  const { rows } = await tx.query<SavedList>(
    `with given as (select distinct user_id from unnest($1::text[]) user_id),
     found as (select p.player_id, p.user_id from given join player p using (user_id) where p.brand_id = $2 and p.erased_at is null),
     listed as (insert into segment_listed (player_id, version_id) select player_id, $3::int from found),
     strangers as (select user_id from given where user_id not in (select user_id from found))
     select (select count(*)::int from given) as given, (select count(*)::int from found) as listed,
            (select count(*)::int from strangers) as unknown,
            array(select user_id from strangers order by user_id limit ${shownUnknown}) as unknown_user_ids`,
    [userIds, brandId, versionId],
  );
  return rows[0] ?? { given: 0, listed: 0, unknown: 0, unknown_user_ids: [] };
}

/**
 * Copies the players who satisfy a version, including protected ones: they are members again when their protection
 * ends.
 */
export async function copyToList(tx: ClientBase, fromVersionId: number, toVersionId: number): Promise<void> {
  await forgetList(tx, toVersionId);
  await tx.query(
    `insert into segment_listed (player_id, version_id) select player_id, $2::int from segment_member where version_id = $1`,
    [fromVersionId, toVersionId],
  );
}

/** Replaces the list of a version by that of another one. @returns the number of its players */
export async function copyListed(tx: ClientBase, fromVersionId: number, toVersionId: number): Promise<number> {
  await forgetList(tx, toVersionId);
  const { rowCount } = await tx.query(
    `insert into segment_listed (player_id, version_id) select player_id, $2::int from segment_listed where version_id = $1`,
    [fromVersionId, toVersionId],
  );
  return rowCount ?? 0;
}

/** The segments that each segment of a brand refers to, in any version that is not past. */
export async function readSegmentNeeds(db: ClientBase | Pool, brandId: number): Promise<Map<string, Set<string>>> {
  const { rows } = await db.query<{ code: string; field: string }>(
    `select distinct s.code, f #>> '{}' as field from segment_version v join segment s using (segment_id),
            jsonb_path_query(v.rule, '$.**.field ? (@ starts with "segment.")') f
      where s.brand_id = $1 and v.state <> 'past'`,
    [brandId],
  );
  const needs = new Map<string, Set<string>>();
  for (const { code, field } of rows)
    needs.set(code, (needs.get(code) ?? new Set()).add(field.slice('segment.'.length)));
  return needs;
}
