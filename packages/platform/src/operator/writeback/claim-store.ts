import type { Pool, PoolClient } from 'pg';
import { transaction } from '../../database/index.ts';
import { lateWritesFor, loosens, type WrittenRecord } from '../players/index.ts';
import type { SentItem } from './request.ts';

/*
 * Claims on rows of the queue, as in player_sync (sync/claim-store.ts): a number nobody else has, and a time at which it
 * runs out. While it holds, nobody else writes this record of the player, so writes of one player go out one at a time
 * and in their order; what a dead worker had in hand is sent again, which changes nothing at the operator.
 */

export interface WriteClaim {
  claim: number;
  player_id: number;
  user_id: string;
  record: WrittenRecord;
  brand_id: number;
}

export interface WantedWrites {
  brand_id: number;
  record: WrittenRecord;
  free: number;
  claim_ms: number;
}

/** Claims what is due, the longest due first, at most `free` rows per entry. */
export async function claimDueWrites(pool: Pool, wanted: readonly WantedWrites[]): Promise<WriteClaim[]> {
  if (wanted.length === 0) return [];
  const { rows } = await pool.query<WriteClaim>({
    name: 'claim_writes',
    text: `with due as (
             select d.player_id, d.record, w.claim_ms
               from unnest($1::int[], $2::text[], $3::int[], $4::int[]) as w (brand_id, record, free, claim_ms)
              cross join lateral (
                select q.player_id, q.record from write_back q
                 where q.brand_id = w.brand_id and q.record = w.record and q.due_at <= now()
                 order by q.due_at limit w.free for update skip locked
              ) d
           )
           update write_back q
              set claim = nextval('write_back_claim'),
                  due_at = now() + due.claim_ms * interval '1 millisecond'
             from due join player p on p.player_id = due.player_id
            where q.player_id = due.player_id and q.record = due.record
           returning q.claim, q.player_id, p.user_id, q.record, q.brand_id`,
    values: [
      wanted.map((entry) => entry.brand_id),
      wanted.map((entry) => entry.record),
      wanted.map((entry) => entry.free),
      wanted.map((entry) => entry.claim_ms),
    ],
  });
  return rows;
}

/**
 * The items that this write sends: all that are due, but those that the operator refused in company, which go one by one
 * when nothing else is due. Without that, one type that the operator does not take would keep all others from it for ever.
 */
export function takeItems(pool: Pool, claim: WriteClaim): Promise<SentItem[]> {
  return transaction(pool, async (tx) => {
    if (!(await lockClaim(tx, claim))) return [];
    const { rows } = await tx.query<SentItem>({
      name: 'take_items',
      text: `with due as (
               select item_id, alone, min(item_id) over () as first, bool_or(not alone) over () as in_company
                 from write_back_item
                where player_id = $1 and record = $2 and latest and state in ('pending', 'sending') and due_at <= now()
             )
             update write_back_item i
                set state = 'sending',
                    -- Sent before by somebody who did not live to tell: nobody knows what came of that.
                    late_until = case when i.state = 'sending' and ${loosens('i')}
                                      then greatest(i.late_until, now() + ${lateWritesFor / 1e6} * interval '1 second')
                                      else i.late_until end
               from due
              where i.item_id = due.item_id and case when due.in_company then not due.alone else due.item_id = due.first end
             returning i.item_id, i.type, i.wanted, i.note, i.attempts,
                       case i.record
                         when 'consents' then (select c.spelling from player_consent c
                                                where c.player_id = i.player_id and c.type_key = i.type_key)
                         else (select b.spelling from player_block b
                                where b.player_id = i.player_id and b.type_key = i.type_key)
                       end as spelling`,
      values: [claim.player_id, claim.record],
    });
    return rows.toSorted((a, b) => a.item_id - b.item_id);
  });
}

/** Locks the row of a claim that still holds, until the transaction ends. */
export async function lockClaim(tx: PoolClient, { player_id, record, claim }: WriteClaim): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_write_claim',
    text: `select from write_back where player_id = $1 and record = $2 and claim = $3 and due_at > now() for update`,
    values: [player_id, record, claim],
  });
  return rowCount === 1;
}

/** Ends a claim: due again when the next of its items is. */
export async function endClaim(db: Pool | PoolClient, { player_id, record, claim }: WriteClaim): Promise<void> {
  await db.query({
    name: 'end_write_claim',
    text: `update write_back q
              set claim = null,
                  due_at = (select min(i.due_at) from write_back_item i
                             where i.player_id = q.player_id and i.record = q.record and i.latest
                               and i.state in ('pending', 'sending'))
            where q.player_id = $1 and q.record = $2 and q.claim = $3`,
    values: [player_id, record, claim],
  });
}
