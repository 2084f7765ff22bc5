import type { Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

export type Phase = 'live' | 'paused' | 'stopped';

export interface ActiveRow {
  campaign_id: number;
  brand_id: number;
  version_id: number;
  phase: Phase;
  share: number;
  /** Versions whose active runs move to `version_id`. */
  moves_from: number[];
  /** Kinds of events that are the goal of one of its versions. */
  goal_kinds: string[];
  /** When it was last stopped. */
  stopped_at: Micros | null;
}

export async function readActive(tx: ClientBase): Promise<ActiveRow[]> {
  const { rows } = await tx.query<ActiveRow>({
    name: 'read_campaign_active',
    text: `select campaign_id, brand_id, version_id, phase, share, moves_from, goal_kinds, stopped_at
             from campaign_active order by campaign_id`,
  });
  return rows;
}

/**
 * Event kinds of previous versions are kept, because their runs may wait for them or watch for them as their goal. Their products are kept
 * for messages that they ordered.
 */
export async function activate(
  tx: ClientBase,
  row: Omit<ActiveRow, 'stopped_at'> & {
    code: string;
    kinds: readonly string[];
    segment_code: string | null;
    transition: string | null;
    /** The products that the version is about. */
    products: readonly string[];
  },
): Promise<void> {
  // A deleted campaign may have had this code. What its runs ordered stays withdrawn.
  await tx.query('update campaign_active set campaign_id = $1, deleted_at = null where brand_id = $2 and code = $3', [
    row.campaign_id,
    row.brand_id,
    row.code,
  ]);
  await tx.query(
    `insert into campaign_active as a
       (campaign_id, brand_id, version_id, phase, share, kinds, segment_code, transition, moves_from, code, goal_kinds, products)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (campaign_id) do update
       set version_id = excluded.version_id, phase = excluded.phase, share = excluded.share, segment_code = excluded.segment_code,
           transition = excluded.transition, moves_from = excluded.moves_from, kinds = array(select distinct unnest(a.kinds || excluded.kinds)),
           goal_kinds = array(select distinct unnest(a.goal_kinds || excluded.goal_kinds)),
           products = a.products || excluded.products`,
    [
      row.campaign_id,
      row.brand_id,
      row.version_id,
      row.phase,
      row.share,
      row.kinds,
      row.segment_code,
      row.transition,
      row.moves_from,
      row.code,
      row.goal_kinds,
      JSON.stringify(row.products.length === 0 ? {} : { [row.version_id]: row.products }),
    ],
  );
}

export async function setPhase(tx: ClientBase | Pool, campaignId: number, phase: Phase): Promise<void> {
  await tx.query('update campaign_active set phase = $2 where campaign_id = $1', [campaignId, phase]);
}

/**
 * Withdraws everything that the campaign's runs have ordered (outgoing/campaign-hold.ts). Open runs exit as workers reach them.
 * Runs that are done no longer watch for their goal.
 */
export async function setStopped(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query(`update campaign_active set phase = 'stopped', stopped_at = $2 where campaign_id = $1`, [
    campaignId,
    timestamptzText(at),
  ]);
}

export async function setActiveShare(tx: ClientBase, campaignId: number, share: number): Promise<void> {
  await tx.query('update campaign_active set share = $2 where campaign_id = $1', [campaignId, share]);
}

/**
 * Deletes what was stored about a campaign. Its row in `campaign_active` stays as that of a stopped campaign: messages and credits that its
 * runs ordered find their campaign through this row, and without it they would be sent. `forgetDeleted` removes it when nothing that they
 * ordered can still wait.
 */
export async function forgetCampaign(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query(
    `update campaign_active set phase = 'stopped', stopped_at = $2, deleted_at = $2, kinds = '{}', goal_kinds = '{}', moves_from = '{}',
            segment_code = null, transition = null where campaign_id = $1`,
    [campaignId, timestamptzText(at)],
  );
  await tx.query(
    'delete from campaign_backtest_entry where backtest_id in (select backtest_id from campaign_backtest where campaign_id = $1)',
    [campaignId],
  );
  for (const table of ['campaign_schedule', 'campaign_start', 'campaign_run_step', 'campaign_run', 'campaign_backtest'])
    await tx.query(`delete from ${table} where campaign_id = $1`, [campaignId]);
}

/** Removes the rows of campaigns that were deleted before a time, unless another campaign took over the row with the code. */
export async function forgetDeleted(pool: Pool, before: Micros): Promise<void> {
  await pool.query('delete from campaign_active where deleted_at < $1', [timestamptzText(before)]);
}

/** The parts of a version that runs need. */
export interface RunnableVersion {
  version_id: number;
  campaign_id: number;
  version: number;
  brand_id: number;
  code: string;
  document: Campaign;
}

/** Versions in memory. A published version never changes, so it is read once. */
export class Versions {
  readonly #pool: Pool;
  #byId = new Map<number, RunnableVersion>();

  constructor({ pool }: { pool: Pool }) {
    this.#pool = pool;
  }

  /** @returns the given versions. Missing are drafts, and the versions of deleted campaigns */
  async load(ids: Iterable<number>): Promise<ReadonlyMap<number, RunnableVersion>> {
    const asked = [...new Set(ids)];
    const unknown = asked.filter((id) => !this.#byId.has(id));
    if (unknown.length > 0) {
      const { rows } = await this.#pool.query<RunnableVersion>(
        `select v.version_id, v.campaign_id, v.version, c.brand_id, c.code, v.document
           from campaign_version v join campaign c using (campaign_id) where v.version_id = any($1::int[]) and v.state <> 'draft'`,
        [unknown],
      );
      for (const row of rows) this.#byId.set(row.version_id, row);
    }
    const loaded = new Map<number, RunnableVersion>();
    for (const id of asked) {
      const version = this.#byId.get(id);
      if (version !== undefined) loaded.set(id, version);
    }
    // The caller has a map of its own, so it keeps its versions even if this cache is emptied while it works.
    if (this.#byId.size > mostKept) this.#byId = new Map(loaded);
    return loaded;
  }

  /** A version that was loaded recently. */
  known(id: number): RunnableVersion | undefined {
    return this.#byId.get(id);
  }
}

/** Number of versions above which the cache keeps only those of the last caller. */
const mostKept = 2_000;
