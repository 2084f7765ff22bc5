import type { Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { type NamedPage, namedPageSql, namedPageValues, timestamptzText } from '../../database/index.ts';
import type { CampaignState, VersionState } from './state.ts';

export interface StoredCampaign {
  campaign_id: number;
  brand_id: number;
  code: string;
  name: string;
  state: CampaignState;
  reason: string | null;
  share: number;
  /** When the campaign halted automatically; null if it did not, or was resumed since. */
  halted_at: Micros | null;
  /** Since when its limits cannot be checked; null if the last check succeeded. */
  unchecked_since: Micros | null;
  unchecked_reason: string | null;
  created_at: Micros;
  created_by: string;
}

export interface StoredVersion {
  version_id: number;
  campaign_id: number;
  version: number;
  state: VersionState;
  document: Campaign;
  created_at: Micros;
  created_by: string;
  published_at: Micros | null;
  published_by: string | null;
  /** For a draft that waits for a second person. */
  approval: Approval | null;
  /** For a draft whose last request was rejected. */
  rejection: Rejection | null;
  approved_by: string | null;
  /** Whether active runs move to this version if it contains all their steps. */
  moves_runs: boolean;
}

export interface Approval {
  asked_at: Micros;
  asked_by: string;
  reasons: string[];
}

export interface Rejection {
  rejected_at: Micros;
  rejected_by: string;
  reason: string;
}

export interface By {
  at: Micros;
  actor: string;
}

const columns = `campaign_id, brand_id, code, name, state, reason, share, halted_at, unchecked_since, unchecked_reason,
  created_at, created_by`;

/** Codes of campaigns whose draft or published version contains `words`, for example the address of a picture. */
export async function campaignsNaming(db: ClientBase | Pool, brand_id: number, words: string): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select c.code from campaign c
      where c.brand_id = $1 and exists (
        select from campaign_version v
         where v.campaign_id = c.campaign_id and v.state in ('draft', 'published') and position($2 in v.document::text) > 0)
      order by c.code`,
    [brand_id, words],
  );
  return rows.map(({ code }) => code);
}

export interface TemplateUse {
  /** The code of the campaign. */
  code: string;
  /**
   * True if players can still receive messages made from the template: the published version sends them, or an earlier
   * version with open runs does.
   */
  published: boolean;
}

/** Campaigns of which a version sends this template: the draft, the published one, or an earlier one with open runs. */
export async function campaignsSending(
  db: ClientBase | Pool,
  brand_id: number,
  template: string,
): Promise<TemplateUse[]> {
  const { rows } = await db.query<TemplateUse>(
    `select c.code, bool_or(v.state <> 'draft') as published
       from campaign c join campaign_version v on v.campaign_id = c.campaign_id
        and (v.state in ('draft', 'published') or v.version_id = any($3::int[]))
      where c.brand_id = $1
        and jsonb_path_exists(v.document::jsonb, '$.**.template ? (@ == $template)', jsonb_build_object('template', $2::text))
      group by c.code order by c.code`,
    [brand_id, template, await retiredWithRuns(db, brand_id)],
  );
  return rows;
}

/**
 * Earlier versions that still have open runs. Versions and runs may be stored in different databases, so they are read one after the
 * other.
 */
async function retiredWithRuns(db: ClientBase | Pool, brandId: number): Promise<number[]> {
  const { rows: retired } = await db.query<{ campaign_id: number; version_id: number }>(
    `select campaign_id, version_id from campaign join campaign_version v using (campaign_id)
      where brand_id = $1 and v.state = 'retired'`,
    [brandId],
  );
  if (retired.length === 0) return [];
  const { rows } = await db.query<{ version_id: number }>(
    `select v.version_id from unnest($1::int[], $2::int[]) as v (campaign_id, version_id)
      where exists (select from campaign_run r
                     where r.campaign_id = v.campaign_id and r.version_id = v.version_id
                       and r.state in ('active', 'waiting', 'held'))`,
    [retired.map(({ campaign_id }) => campaign_id), retired.map(({ version_id }) => version_id)],
  );
  return rows.map(({ version_id }) => version_id);
}

/**
 * Makes publications wait for deletions of templates or segments, and the reverse. So a published campaign never refers to
 * something that was deleted at the same moment. Changes of the rules of segments also wait for each other.
 */
export async function lockReferences(tx: ClientBase, brandId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('campaign references'), $1)`, [brandId]);
}

/** Campaigns of a brand by code, or one of them; with `lock`, locked against other changes. */
export async function readCampaigns(
  db: ClientBase | Pool,
  brand_id: number,
  { code, lock = false }: { code?: string; lock?: boolean } = {},
): Promise<StoredCampaign[]> {
  const { rows } = await db.query<StoredCampaign>(
    `select ${columns} from campaign where brand_id = $1 and ($2::text is null or code = $2) order by code ${lock ? 'for update' : ''}`,
    [brand_id, code ?? null],
  );
  return rows;
}

/** Selects one page of a list of campaigns. A condition that is omitted does not restrict it. */
export interface CampaignPage extends NamedPage {
  state?: CampaignState | undefined;
  /** Whether a draft waits for approval. */
  awaitsApproval?: boolean | undefined;
}

/** One page of a brand's campaigns, by name. */
export async function readCampaignPage(
  db: ClientBase | Pool,
  brand_id: number,
  { state, awaitsApproval, ...page }: CampaignPage,
): Promise<StoredCampaign[]> {
  const { rows } = await db.query<StoredCampaign>(
    `select ${columns} from campaign c
      where brand_id = $1 and ($2::text is null or state = $2)
        and ($3::boolean is null or $3 = exists (select from campaign_version v
                                where v.campaign_id = c.campaign_id and v.state = 'draft' and v.approval is not null))
        ${namedPageSql({ name: 'name', code: 'code' }, 4)}`,
    [brand_id, state ?? null, awaitsApproval ?? null, ...namedPageValues(page)],
  );
  return rows;
}

/** Newest first. */
export async function readVersions(db: ClientBase | Pool, campaignIds: readonly number[]): Promise<StoredVersion[]> {
  const { rows } = await db.query<StoredVersion>(
    `select version_id, campaign_id, version, state, document, created_at, created_by, published_at, published_by, approval,
            rejection, approved_by, moves_runs
       from campaign_version where campaign_id = any($1::int[]) order by campaign_id, version desc`,
    [campaignIds],
  );
  return rows;
}

export async function insertCampaign(
  tx: ClientBase,
  { brand_id, code, name }: Pick<StoredCampaign, 'brand_id' | 'code' | 'name'>,
  by: By,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ campaign_id: number }>(
    `insert into campaign (brand_id, code, name, state, created_at, created_by) values ($1, $2, $3, 'draft', $4, $5)
     on conflict do nothing returning campaign_id`,
    [brand_id, code, name, timestamptzText(by.at), by.actor],
  );
  return rows[0]?.campaign_id;
}

/** Saves the draft: creates a new version, or changes the existing draft. */
export async function saveDraft(tx: ClientBase, campaignId: number, document: Campaign, by: By): Promise<void> {
  await tx.query(
    `insert into campaign_version (campaign_id, version, state, document, created_at, created_by)
     select $1::int, coalesce(max(version), 0) + 1, 'draft', $2::json, $3::timestamptz, $4::text
       from campaign_version where campaign_id = $1
     on conflict (campaign_id) where state = 'draft' do update
       set document = excluded.document, created_at = excluded.created_at, created_by = excluded.created_by, approval = null`,
    [campaignId, JSON.stringify(document), timestamptzText(by.at), by.actor],
  );
  await tx.query('update campaign set name = $2 where campaign_id = $1', [campaignId, document.name]);
}

/** Sets whether active runs move to a version when it comes into force. */
export async function setMovesRuns(tx: ClientBase, versionId: number, moves: boolean): Promise<void> {
  await tx.query('update campaign_version set moves_runs = $2 where version_id = $1', [versionId, moves]);
}

/** Marks the draft as waiting for a second person. */
export async function askApproval(tx: ClientBase, versionId: number, approval: Approval): Promise<void> {
  await tx.query('update campaign_version set approval = $2, rejection = null where version_id = $1', [
    versionId,
    JSON.stringify(approval),
  ]);
}

/** Marks the draft as rejected. It no longer waits. The rejection stays until publication is requested again. */
export async function setRejection(tx: ClientBase, versionId: number, rejection: Rejection): Promise<void> {
  await tx.query('update campaign_version set approval = null, rejection = $2 where version_id = $1', [
    versionId,
    JSON.stringify(rejection),
  ]);
}

export async function publishVersion(
  tx: ClientBase,
  campaignId: number,
  versionId: number,
  by: By,
  approvedBy: string | null,
): Promise<void> {
  await tx.query(`update campaign_version set state = 'retired' where campaign_id = $1 and state = 'published'`, [
    campaignId,
  ]);
  await tx.query(
    `update campaign_version set state = 'published', published_at = $2, published_by = $3, approval = null, rejection = null,
        approved_by = $4
      where version_id = $1`,
    [versionId, timestamptzText(by.at), by.actor, approvedBy],
  );
}

export async function setState(
  tx: ClientBase | Pool,
  campaignId: number,
  state: CampaignState,
  reason: string | null = null,
): Promise<void> {
  await tx.query(
    `update campaign set state = $2, reason = $3, halted_at = null, unchecked_since = null, unchecked_reason = null
      where campaign_id = $1`,
    [campaignId, state, reason],
  );
}

/**
 * Records that a version of a campaign failed. Since the failure, a person may have stopped the campaign or published another version.
 * The failure does not undo that.
 * @returns false if the campaign is neither live nor paused, or the version is no longer published
 */
export async function failCampaign(
  tx: ClientBase,
  { campaign_id, version_id }: Pick<StoredVersion, 'campaign_id' | 'version_id'>,
  reason: string,
): Promise<boolean> {
  // A separate statement, so that the following one sees what the previous holder of the lock published.
  await tx.query('select from campaign where campaign_id = $1 for update', [campaign_id]);
  const { rowCount } = await tx.query(
    `update campaign set state = 'failed', reason = $3, halted_at = null, unchecked_since = null, unchecked_reason = null
      where campaign_id = $1 and state in ('live', 'paused')
        and exists (select from campaign_version where version_id = $2 and state = 'published')`,
    [campaign_id, version_id, reason],
  );
  return rowCount === 1;
}

/** Restarts the counts that are compared with the limits of a campaign, except the entries within a day. */
export async function watchSince(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query('update campaign set watched_since = $2 where campaign_id = $1', [campaignId, timestamptzText(at)]);
}

/**
 * Restarts the count of the entries within a day. Only a resume does this: the person knows how many players entered. If a new version or
 * share also did, each of them would permit as many entries again.
 */
export async function countDaySince(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query('update campaign set day_counted_since = $2 where campaign_id = $1', [
    campaignId,
    timestamptzText(at),
  ]);
}

/** @returns false if the campaign was changed since it was read */
export async function haltCampaign(
  tx: ClientBase,
  campaignId: number,
  { reason, at, watched_since }: { reason: string; at: Micros; watched_since: Micros },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update campaign set state = 'paused', reason = $2, halted_at = $3, unchecked_since = null, unchecked_reason = null
      where campaign_id = $1 and state = 'live' and watched_since = $4`,
    [campaignId, reason, timestamptzText(at), timestamptzText(watched_since)],
  );
  return rowCount === 1;
}

export async function setShare(tx: ClientBase, campaignId: number, share: number): Promise<void> {
  await tx.query('update campaign set share = $2 where campaign_id = $1', [campaignId, share]);
}

export async function deleteCampaign(tx: ClientBase, campaignId: number): Promise<void> {
  await tx.query('delete from campaign where campaign_id = $1', [campaignId]);
}

/** Codes of the campaigns that start from a segment or use it in a rule, including drafts and versions that players enter. */
export async function campaignsThatUse(
  tx: ClientBase | Pool,
  { brand_id, code }: { brand_id: number; code: string },
): Promise<string[]> {
  return (await campaignsBySegment(tx, brand_id, [code])).get(code) ?? [];
}

/** Returns the same as `campaignsThatUse` for several segments, in one statement. A segment that no campaign uses is not in the map. */
export async function campaignsBySegment(
  db: ClientBase | Pool,
  brandId: number,
  segments: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ segment: string; campaigns: string[] }>(
    `select s.code as segment, array_agg(c.code order by c.code) as campaigns
       from unnest($2::text[]) as s (code)
       join campaign c on c.brand_id = $1
        and exists (select from campaign_version v
                     where v.campaign_id = c.campaign_id and (v.state <> 'retired' or v.version_id = any($3::int[]))
                       and (v.document -> 'entry' ->> 'segment' = s.code or v.document -> 'entry' ->> 'to' = s.code
                            or jsonb_path_exists(v.document::jsonb, '$.**.field ? (@ == $field)',
                                                 jsonb_build_object('field', 'segment.' || s.code))))
      group by s.code`,
    [brandId, segments, await retiredWithRuns(db, brandId)],
  );
  return new Map(rows.map(({ segment, campaigns }) => [segment, campaigns]));
}

export async function countPlayers(tx: ClientBase, brandId: number): Promise<number> {
  const { rows } = await tx.query<{ players: number }>(
    'select count(*) as players from player where brand_id = $1 and erased_at is null',
    [brandId],
  );
  return Number(rows[0]?.players ?? 0);
}
