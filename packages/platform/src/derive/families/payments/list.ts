import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Payment } from './fact.ts';
import { keyOfId } from './payment.ts';
import type { Report } from './reports.ts';

/** One payment as shown to people. Times are Micros, `base_amount` and `base_fee` are in the brand's base currency. */
export type ListedPayment = Omit<Payment, 'player_id' | 'payment_key' | 'day'> & { day: string; token: string };

export interface PaymentFilter {
  type?: Payment['type'];
  status?: Payment['status'];
  orphan?: boolean;
  /** Selects one payment; two if the operator uses one id for a deposit and a withdrawal. */
  payment_id?: string;
  /** Only payments with conflicting versions. */
  conflicting?: boolean;
  /** Bounds of the payment's date, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The player's payments, newest first; `before` is the token of the last one of the previous page. */
export async function listPayments(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: PaymentFilter,
  limit: number,
  before?: string,
): Promise<ListedPayment[]> {
  const place = before === undefined ? undefined : readToken(before);
  const { payment_id } = filter;
  // Uses the primary key, because the column payment_id has no index.
  const keys = payment_id === undefined ? undefined : [keyOfId('Credit', payment_id), keyOfId('Debit', payment_id)];
  const { rows } = await db.query<Omit<ListedPayment, 'token'> & { key: string }>(
    `select encode(payment_key, 'hex') as key, payment_id, type, status, orphan, counted, reapproved, at, day, amount,
            currency, exchange_rate, base_amount, base_fee, vendor_id, vendor_name, origin, bonus_code, note, conflicts,
            events
     from payment
     where player_id = $1
       and ($2::text is null or type = $2)
       and ($3::text is null or status = $3)
       and ($4::boolean is null or orphan = $4)
       and ($5::boolean is null or (conflicts > 0) = $5)
       and at >= coalesce($6::timestamptz, '-infinity')
       and at <= least($7::timestamptz, $8::timestamptz, 'infinity')
       and ($8::timestamptz is null or (at, payment_key) < ($8, decode($9, 'hex')))
       ${keys === undefined ? '' : `and payment_key in (decode($11, 'hex'), decode($12, 'hex'))`}
     order by at desc, payment_key desc
     limit $10`,
    [
      playerId,
      filter.type ?? null,
      filter.status ?? null,
      filter.orphan ?? null,
      filter.conflicting ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(place?.at),
      place?.key ?? null,
      limit,
      ...(keys ?? []),
    ],
  );
  return rows.map(({ key, ...row }) => ({ ...row, token: `${row.at}-${key}` }));
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}

/** @throws {RangeError} if the text is not a token of `listPayments` */
function readToken(token: string): { at: Micros; key: string } {
  const match = /^(-?\d{1,16})-([0-9a-f]{32})$/.exec(token);
  if (match === null) throw new RangeError('the page token does not belong to this list');
  return { at: Number(match[1]), key: match[2] as string };
}

export async function readReports(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
): Promise<{ name: Report['name']; value: number; at: Micros }[]> {
  const { rows } = await db.query<{ name: Report['name']; value: number; at: Micros }>(
    'select name, value, at from payment_report where player_id = $1',
    [playerId],
  );
  return rows;
}
