import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText, transaction } from '../../database/index.ts';
import { Queue, type RunnerPlace } from '../../outgoing/index.ts';
import { lateWritesFor, loosens, type WrittenRecord } from '../players/index.ts';
import type { SentItem } from './request.ts';

/*
 * Claims on rows of the queue (outgoing/queue.ts). While a claim is valid, no other worker writes this record of the player. So
 * the writes of one player go out one at a time and in order. After a crash of a worker, its write is sent again, which changes
 * nothing at the operator.
 */

export interface WritePlace extends RunnerPlace {
  brand_id: number;
  record: WrittenRecord;
}

export interface WriteClaim {
  claim: number;
  player_id: number;
  user_id: string;
  record: WrittenRecord;
  brand_id: number;
}

/** The database time at which the claim was locked. */
export interface LockedWrite {
  locked_at: Micros;
}

export const writeQueue = new Queue<Pick<WritePlace, 'brand_id' | 'record'>, WriteClaim, LockedWrite>({
  table: 'write_back',
  key: { player_id: 'bigint', record: 'text' },
  place: { brand_id: 'int', record: 'text' },
  brings: ['(select p.user_id from player p where p.player_id = q.player_id) as user_id'],
  reads: 'now() as locked_at',
});

/**
 * The items that this write sends: all that are due, except those that the operator refused together with others. Those go one
 * by one when nothing else is due. Otherwise one type that the operator refuses would block all others forever.
 *
 * @returns null if the claim is lost
 */
export function takeItems(pool: Pool, claim: WriteClaim): Promise<SentItem[] | null> {
  return transaction(pool, async (tx) => {
    const locked = await writeQueue.lock(tx, claim);
    if (locked === null) return null;
    const { rows } = await tx.query<SentItem>({
      name: 'take_items',
      text: `with due as (
               select item_id, alone, min(item_id) over () as first, bool_or(not alone) over () as in_company
                 from write_back_item
                where player_id = $1 and record = $2 and latest and state in ('pending', 'sending') and due_at <= $3
             )
             update write_back_item i
                set state = 'sending',
                    -- A process that has since died sent it before; the outcome is unknown.
                    late_until = case when i.state = 'sending' and ${loosens('i')}
                                      then greatest(i.late_until, $4)
                                      else i.late_until end
               from due
              where i.item_id = due.item_id and case when due.in_company then not due.alone else due.item_id = due.first end
             returning i.item_id, i.type, i.wanted, i.note, i.failure as reason, i.tries,
                       case i.record
                         when 'consents' then (select c.spelling from player_consent c
                                                where c.player_id = i.player_id and c.type_key = i.type_key)
                         else (select b.spelling from player_block b
                                where b.player_id = i.player_id and b.type_key = i.type_key)
                       end as spelling`,
      values: [
        claim.player_id,
        claim.record,
        timestamptzText(locked.locked_at),
        timestamptzText(locked.locked_at + lateWritesFor),
      ],
    });
    return rows.toSorted((a, b) => a.item_id - b.item_id);
  });
}

/**
 * Ends a claim. The row is due again when the next of its items is. @returns that time; null if no item becomes due
 * automatically
 */
export async function endClaim(
  db: Pool | PoolClient,
  { player_id, record, claim }: WriteClaim,
): Promise<Micros | null> {
  const { rows } = await db.query<{ due_at: Micros | null }>({
    name: 'end_write_claim',
    text: `update write_back q
              set claim = null,
                  due_at = (select min(i.due_at) from write_back_item i
                             where i.player_id = q.player_id and i.record = q.record and i.latest
                               and i.state in ('pending', 'sending'))
            where q.player_id = $1 and q.record = $2 and q.claim = $3
           returning q.due_at`,
    values: [player_id, record, claim],
  });
  return rows[0]?.due_at ?? null;
}
