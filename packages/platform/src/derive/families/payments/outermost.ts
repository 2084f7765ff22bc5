import type { DecimalText } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';

/**
 * The first and last payments of a player that traits read individually. They are found by the dates in the totals,
 * which takes one index lookup each.
 */
export type OutermostPayment =
  | 'deposit_first'
  | 'deposit_last'
  | 'withdrawal_first'
  | 'withdrawal_last'
  | 'deposit_rejected_last'
  | 'deposit_cancelled_last';

export interface ShownPayment {
  base_amount: DecimalText;
  note: string | null;
}

/** Returns the payments that exist. Of several payments at the same moment, it returns the one with the smallest key. */
export async function readOutermostPayments(
  db: Pool | ClientBase,
  playerId: number,
): Promise<Map<OutermostPayment, ShownPayment>> {
  const { rows } = await db.query<ShownPayment & { name: OutermostPayment }>({
    name: 'read_outermost_payments',
    text: `
      select m.name, p.base_amount, p.note
      from (
        select v.name, v.type, v.status, v.at
        from (select min(deposit_first_at) as deposit_first, max(deposit_last_at) as deposit_last,
                     min(withdrawal_first_at) as withdrawal_first, max(withdrawal_last_at) as withdrawal_last
              from payment_total where player_id = $1) t
        cross join lateral (values
          ('deposit_first', 'Credit', 'Approved', t.deposit_first),
          ('deposit_last', 'Credit', 'Approved', t.deposit_last),
          ('withdrawal_first', 'Debit', 'Approved', t.withdrawal_first),
          ('withdrawal_last', 'Debit', 'Approved', t.withdrawal_last)) v(name, type, status, at)
        union all
        select v.name, 'Credit', v.status, v.at
        from refused_deposit_total t
        cross join lateral (values
          ('deposit_rejected_last', 'Rejected', t.deposit_rejected_last_at),
          ('deposit_cancelled_last', 'Cancelled', t.deposit_cancelled_last_at)) v(name, status, at)
        where t.player_id = $1
      ) m
      cross join lateral (
        select base_amount, note from payment p
        where p.player_id = $1 and p.at = m.at and p.type = m.type and p.status = m.status and not p.orphan
        order by p.payment_key limit 1
      ) p`,
    values: [playerId],
  });
  return new Map(rows.map(({ name, ...shown }) => [name, shown]));
}
