import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { campaignKey } from './notification-store.ts';

/** SQL statements on notification_recall, and those that find the messages of a recall. */

export interface Recall {
  recall_id: number;
  brand_id: number;
  campaign_id: string;
  up_to: number;
  phase: 'held' | 'live' | 'done';
  position: number;
  withdrawn: number;
  dropped: number;
  requested_at: Micros;
  requested_by: string;
  finished_at: Micros | null;
}

/**
 * Begins a recall of all existing messages of the campaign. Waits for transactions that are creating more of them, and includes
 * those.
 */
export async function insertRecall(
  tx: ClientBase,
  recall: Pick<Recall, 'brand_id' | 'campaign_id' | 'requested_at' | 'requested_by'>,
): Promise<Recall> {
  const { brand_id, campaign_id, requested_at, requested_by } = recall;
  await tx.query(`select pg_advisory_xact_lock(${campaignKey('$1::int', '$2::text')})`, [brand_id, campaign_id]);
  const { rows } = await tx.query<Recall>(
    `insert into notification_recall (brand_id, campaign_id, up_to, requested_at, requested_by)
     select $1, $2, id_in_bucket(case when is_called then last_value else 0 end, 63), $3, $4 from notification_number returning *`,
    [brand_id, campaign_id, timestamptzText(requested_at), requested_by],
  );
  return rows[0] as Recall;
}

/**
 * Locks an open recall that no other process has locked. @param recallId null for any, so that a large recall does not delay
 * the others
 */
export async function lockOpenRecall(tx: ClientBase, recallId: number | null): Promise<Recall | null> {
  const { rows } = await tx.query<Recall>({
    name: 'lock_open_recall',
    text: `select * from notification_recall where phase <> 'done' and ($1::bigint is null or recall_id = $1)
            order by random() limit 1 for update skip locked`,
    values: [recallId],
  });
  return rows[0] ?? null;
}

/** The next messages of a recall, locked, in the order of their ids. */
export async function lockNextRecalled(
  tx: ClientBase,
  { brand_id, campaign_id, phase, position, up_to }: Recall,
  limit: number,
): Promise<number[]> {
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'lock_recalled_notifications',
    text: `select message_id from notification
            where brand_id = $1 and campaign_id = $2 and state = $3 and -message_id < -$4::bigint and -message_id >= -$5::bigint
            order by -message_id desc limit $6 for update`,
    values: [brand_id, campaign_id, phase, position, up_to, limit],
  });
  return rows.map(({ message_id }) => message_id);
}

export async function updateRecall(tx: ClientBase, recall: Recall): Promise<void> {
  await tx.query({
    name: 'update_recall',
    text: `update notification_recall set phase = $2, position = $3, withdrawn = $4, dropped = $5, finished_at = $6
            where recall_id = $1`,
    values: [
      recall.recall_id,
      recall.phase,
      recall.position,
      recall.withdrawn,
      recall.dropped,
      recall.finished_at === null ? null : timestamptzText(recall.finished_at),
    ],
  });
}

/** Newest first. */
export async function listRecalls(
  pool: Pool,
  brandId: number,
  of: { campaign_id?: string | undefined; limit: number; before?: number | undefined },
): Promise<Recall[]> {
  const { campaign_id, limit, before } = of;
  const { rows } = await pool.query<Recall>(
    `select * from notification_recall
      where brand_id = $1 and recall_id < $2 and ($4::text is null or campaign_id = $4) order by recall_id desc limit $3`,
    [brandId, before ?? Number.MAX_SAFE_INTEGER, limit, campaign_id ?? null],
  );
  return rows;
}

export async function readRecall(pool: Pool, brandId: number, recallId: number): Promise<Recall | null> {
  const { rows } = await pool.query<Recall>(
    'select * from notification_recall where brand_id = $1 and recall_id = $2',
    [brandId, recallId],
  );
  return rows[0] ?? null;
}

export interface Recallable {
  /** Messages in inboxes. */
  live: number;
  /** Those of them that their players have read. */
  read: number;
  /** Messages that wait until more is known about their players. */
  held: number;
}

/** What a recall of this campaign would remove now. */
export async function countRecallable(pool: Pool, brandId: number, campaignId: string): Promise<Recallable> {
  const { rows } = await pool.query<Recallable>(
    `select count(*) filter (where state = 'live')::int as live,
            count(*) filter (where state = 'live' and read_at is not null)::int as read,
            count(*) filter (where state = 'held')::int as held
       from notification
      where brand_id = $1 and campaign_id = $2 and state in ('held', 'live')`,
    [brandId, campaignId],
  );
  return rows[0] as Recallable;
}
