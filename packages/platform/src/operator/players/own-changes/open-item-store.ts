import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { databaseTime, timestamptzText } from '../../../database/index.ts';
import type { OpenItem, OpenState } from './item.ts';

const isOpen = `latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept')`;

/** The open changes of these players. There are nearly always none: one probe of a small index per player. */
export async function readOpenItems(tx: ClientBase, playerIds: readonly number[]): Promise<OpenItem[]> {
  if (playerIds.length === 0) return [];
  const { rows } = await tx.query<OpenItem>({
    name: 'read_open_items',
    text: `select item_id, player_id, record, type_key, wanted, state, changed_at, rewrites, confirm_request, late_until, seen
             from write_back_item where player_id = any($1::bigint[]) and ${isOpen}`,
    values: [playerIds],
  });
  return rows;
}

/** The effect of a look-up on one open change. */
export interface UpdatedItem {
  item_id: number;
  player_id: number;
  record: OpenItem['record'];
  said: boolean | null;
  said_at: Micros;
  /** null if unchanged. */
  state: OpenState | 'confirmed' | 'overruled' | null;
  seen: boolean;
  /** With `pending`: milliseconds until it is written again. */
  delay_ms: number | null;
}

/** Stores what look-ups confirmed, and updates the changes that they settle or that must be written again. */
export async function writeMetItems(tx: ClientBase, outcome: readonly UpdatedItem[]): Promise<void> {
  if (outcome.length === 0) return;
  const items = JSON.stringify(outcome.map((one) => ({ ...one, said_at: timestamptzText(one.said_at) })));
  // Lock the queue before the items, as everywhere else. A writer that takes the same items concurrently must lock them in the
  // same order.
  await tx.query({
    name: 'lock_met_queue',
    text: `select from write_back q
             join (select distinct player_id, record from jsonb_to_recordset($1::jsonb) as m (player_id bigint, record text)) m
               using (player_id, record)
            order by q.player_id, q.record for update of q`,
    values: [items],
  });
  const at = timestamptzText(await databaseTime(tx));
  if (outcome.some(({ state }) => state === 'pending')) await queueRewrites(tx, items, at);
  await tx.query({
    name: 'meet_items',
    text: `update write_back_item i
              set said = m.said, said_at = m.said_at,
                  state = coalesce(m.state, i.state), seen = m.seen,
                  rewrites = i.rewrites + case when m.state = 'pending' then 1 else 0 end,
                  confirm_request = case when m.state = 'pending' then null else i.confirm_request end,
                  due_at = case when m.state is null then i.due_at else $2::timestamptz + m.delay_ms * interval '1 millisecond' end,
                  settled_at = case when m.state in ('confirmed', 'contradicted', 'overruled') then m.said_at else i.settled_at end
             from jsonb_to_recordset($1::jsonb) as m (item_id bigint, said boolean, said_at timestamptz, state text, seen boolean,
                                                  delay_ms bigint)
            where i.item_id = m.item_id`,
    values: [items, at],
  });
}

/** A row that is being written does not change. When its write ends, the row becomes due with the next of its items. */
async function queueRewrites(tx: ClientBase, items: string, at: string): Promise<void> {
  await tx.query({
    name: 'queue_rewrites',
    text: `update write_back q set due_at = least(q.due_at, r.due_at)
             from (select player_id, record, $2::timestamptz + min(delay_ms) * interval '1 millisecond' as due_at
                     from jsonb_to_recordset($1::jsonb) as m (player_id bigint, record text, state text, delay_ms bigint)
                    where state = 'pending' group by player_id, record) r
            where q.player_id = r.player_id and q.record = r.record and q.claim is null`,
    values: [items, at],
  });
}
