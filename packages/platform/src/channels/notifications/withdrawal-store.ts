import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { shelvesOf } from './site-store.ts';

/** SQL statements on notification_withdrawal, and those that find the messages of a withdrawal. */

export interface Withdrawal {
  withdrawal_id: number;
  brand_id: number;
  player_id: number;
  below: number | null;
}

export async function insertWithdrawals(
  tx: ClientBase,
  withdrawals: readonly (Omit<Withdrawal, 'withdrawal_id'> & { due_at: Micros })[],
): Promise<void> {
  if (withdrawals.length === 0) return;
  await tx.query({
    name: 'insert_notification_withdrawals',
    text: `insert into notification_withdrawal (brand_id, player_id, below, due_at)
           select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[])`,
    values: [
      withdrawals.map((one) => one.brand_id),
      withdrawals.map((one) => one.player_id),
      withdrawals.map((one) => one.below),
      withdrawals.map((one) => one.due_at),
    ],
  });
}

/** Takes due withdrawals, oldest first, skipping locked ones. They are deleted if the transaction commits. */
export async function takeWithdrawals(tx: ClientBase, now: Micros, limit: number): Promise<Withdrawal[]> {
  const { rows } = await tx.query<Withdrawal>({
    name: 'take_notification_withdrawals',
    text: `delete from notification_withdrawal
            where withdrawal_id in (select withdrawal_id from notification_withdrawal where due_at <= $1
                                     order by due_at, withdrawal_id limit $2 for update skip locked)
           returning withdrawal_id, brand_id, player_id, below`,
    values: [timestamptzText(now), limit],
  });
  return rows;
}

/** The players whose messages are searched. */
export interface Wanted extends Omit<Withdrawal, 'withdrawal_id'> {
  /** True: only pushes. False: all messages. */
  pushes_only: boolean;
}

export interface FoundMarketing {
  message_id: number;
  player_id: number;
  /** False if it was read, or ended, between the search and the lock. */
  locked: boolean;
}

/**
 * The newest unread marketing messages of each player, below an id: locked, in the order of their ids. Each shelf is read from
 * its newest end, as in a list of the site. If fewer than the limit are found, there are no more.
 */
export async function lockUnreadMarketing(
  tx: ClientBase,
  wanted: readonly Wanted[],
  limitEach: number,
): Promise<FoundMarketing[]> {
  if (wanted.length === 0) return [];
  const { rows } = await tx.query<FoundMarketing>({
    name: 'lock_unread_marketing',
    text: `with found as materialized (
             select n.message_id, w.player_id
               from unnest($1::bigint[], $2::bigint[], $3::boolean[]) as w (player_id, above, pushes_only)
              cross join lateral (
                select n.message_id from unnest($4::smallint[]) as s (shelf)
                 cross join lateral (
                   select n.message_id from notification n
                    where n.player_id = w.player_id and n.state = 'live' and n.shelf = s.shelf and -n.message_id > w.above
                      and n.purpose = 'marketing' and (n.channel = 'push' or not w.pushes_only)
                    order by -n.message_id limit $5
                 ) n order by n.message_id desc limit $5) n
           ), locked as materialized (
             select message_id from notification
              where state = 'live' and read_at is null and message_id in (select message_id from found)
              order by message_id for update
           )
           select f.message_id, f.player_id, l.message_id is not null as locked
             from found f left join locked l using (message_id) order by f.message_id`,
    values: [
      wanted.map(({ player_id }) => player_id),
      wanted.map(({ below }) => -(below ?? Number.MAX_SAFE_INTEGER)),
      wanted.map(({ pushes_only }) => pushes_only),
      shelvesOf({ unreadOnly: true, inboxOnly: false }),
      limitEach,
    ],
  });
  return rows;
}
