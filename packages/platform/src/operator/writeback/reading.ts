import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues } from '../../database/index.ts';
import type { ChangeSource, ItemState, WrittenRecord } from '../players/index.ts';
import type { WriteAttempt } from './settle-store.ts';

/** One changed type and its state. */
export interface WriteBackItem {
  item_id: number;
  change_id: number;
  player_id: number;
  user_id: string;
  record: WrittenRecord;
  type: string;
  wanted: boolean;
  note: string | null;
  source: ChangeSource;
  changed_at: Micros;
  state: ItemState;
  attempts: number;
  /** The next try; null if none is planned, or one is open. */
  due_at: Micros | null;
  rewrites: number;
  stored_at: Micros | null;
  settled_at: Micros | null;
  failing_since: Micros | null;
  failed_at: Micros | null;
  failure: WriteAttempt['outcome'] | null;
  failure_detail: string | null;
  /** The value in the last look-up while the change was open; null if nothing clear. */
  said: boolean | null;
  said_at: Micros | null;
}

const itemColumns = `i.item_id, i.change_id, i.player_id, p.user_id, i.record, i.type, i.wanted, i.note, i.source, i.changed_at,
  i.state, i.attempts, i.due_at, i.rewrites, i.stored_at, i.settled_at, i.failing_since, i.failed_at, i.failure,
  i.failure_detail, i.said, i.said_at`;

/** Changes of one player, newest first. */
export async function listPlayerWriteBacks(
  pool: Pool,
  playerId: number,
  options: { limit: number; before?: number | undefined },
): Promise<WriteBackItem[]> {
  const { rows } = await pool.query<WriteBackItem>({
    name: 'list_player_write_backs',
    text: `select ${itemColumns} from write_back_item i join player p using (player_id)
            where i.player_id = $1 and i.item_id < $2::bigint order by i.item_id desc limit $3`,
    values: [playerId, options.before ?? Number.MAX_SAFE_INTEGER, options.limit],
  });
  return rows;
}

/** Changes of one player by the time of the change, newest first. */
export const playerWriteBacks = (pool: Pool, playerId: number, page: TimePage) =>
  writeBacksBy('i.changed_at', pool, playerId, page);

/** Changes of one player by the time of the last look-up that answered them while they were open, newest first. */
export const answeredWriteBacks = (pool: Pool, playerId: number, page: TimePage) =>
  writeBacksBy('i.said_at', pool, playerId, page);

async function writeBacksBy(at: string, pool: Pool, playerId: number, page: TimePage): Promise<WriteBackItem[]> {
  const { rows } = await pool.query<WriteBackItem>(
    `select ${itemColumns} from write_back_item i join player p using (player_id)
      where i.player_id = $1 ${timePageSql({ at, key: 'i.item_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** The lists of a brand: all open changes, failing ones, or those that the operator accepts without storing. */
export const writeBackLists = ['open', 'failing', 'contradicted'] as const;
export type WriteBackList = (typeof writeBackLists)[number];

/** Open changes of a brand, oldest first, because old changes were probably overlooked. */
export async function listOpenWriteBacks(
  pool: Pool,
  brandId: number,
  options: { list: WriteBackList; limit: number; after?: number | undefined },
): Promise<WriteBackItem[]> {
  const { rows } = await pool.query<WriteBackItem>({
    name: 'list_open_write_backs',
    text: `select ${itemColumns} from write_back_item i join player p using (player_id)
            where i.brand_id = $1 and i.latest and i.state in ('pending', 'sending', 'stored', 'contradicted', 'kept')
              and i.item_id > $2::bigint
              and case $3::text when 'failing' then i.failing_since is not null
                                when 'contradicted' then i.state = 'contradicted'
                                else true end
            order by i.item_id limit $4`,
    values: [brandId, options.after ?? 0, options.list, options.limit],
  });
  return rows;
}

export type ListedAttempt = WriteAttempt & { record: WrittenRecord };

/** The stored calls of a player, newest first. */
export async function listWriteAttempts(pool: Pool, playerId: number): Promise<ListedAttempt[]> {
  const { rows } = await pool.query<ListedAttempt>({
    name: 'list_write_attempts',
    text: `select record, item_ids, started_at, took_ms, request, status, answer, outcome, detail
             from write_back_attempt where player_id = $1 order by attempt_id desc`,
    values: [playerId],
  });
  return rows;
}

/** Counts of a brand's changes that are not yet stored at its operator. No figure exceeds `mostWritesCounted`. */
export interface WriteBackCounts {
  /** Changes that the operator has not stored yet. */
  waiting: number;
  oldest_waiting_at: Micros | null;
  /** How many of those were refused or not answered at least once. */
  failing: number;
  /** The operator answers that it has stored them, but its look-ups say the opposite: a person has to ask why. */
  contradicted: number;
}

export const mostWritesCounted = 10_000;

export async function countWriteBacks(pool: Pool, brandId: number): Promise<WriteBackCounts> {
  const { rows } = await pool.query<WriteBackCounts>({
    name: 'count_write_backs',
    text: `select count(*) filter (where waits)::int as waiting, min(changed_at) filter (where waits) as oldest_waiting_at,
                  count(*) filter (where waits and failing_since is not null)::int as failing,
                  count(*) filter (where state = 'contradicted')::int as contradicted
             from (select state, changed_at, failing_since, state in ('pending', 'sending') as waits
                     from write_back_item
                    where brand_id = $1 and latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept')
                    order by item_id limit ${mostWritesCounted}) open`,
    values: [brandId],
  });
  return rows[0] ?? { waiting: 0, oldest_waiting_at: null, failing: 0, contradicted: 0 };
}

/** The operator's last spelling of each type of a record of the player, by the type in lower case. */
export async function readSpellings(pool: Pool, playerId: number, record: WrittenRecord): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ type_key: string; spelling: string }>({
    text: `select type_key, spelling from ${record === 'consents' ? 'player_consent' : 'player_block'} where player_id = $1`,
    values: [playerId],
  });
  return new Map(rows.map(({ type_key, spelling }) => [type_key, spelling]));
}
