import type { ClientBase } from 'pg';
import { nameOf } from './decide.ts';
import type { Payment, PaymentIdentity } from './fact.ts';
import type { Report } from './reports.ts';

/** The payments that a batch may change, by `nameOf`; those that are not there yet are missing. */
export async function loadPayments(
  tx: ClientBase,
  identities: readonly PaymentIdentity[],
): Promise<Map<string, Payment>> {
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Payment>({
    name: 'load_payments',
    text: `select p.player_id, encode(p.payment_key, 'hex') as payment_key, payment_id, type, status, orphan, counted,
                  reapproved, at, day, amount, currency, exchange_rate, base_amount, base_fee, vendor_id, vendor_name,
                  origin, bonus_code, note, conflicts, events
           from unnest($1::bigint[], $2::text[]) as k(player_id, payment_key)
           cross join lateral (
             select * from payment where player_id = k.player_id and payment_key = decode(k.payment_key, 'hex') offset 0
           ) p`,
    values: [identities.map((i) => i.player_id), identities.map((i) => i.payment_key)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function savePayments(tx: ClientBase, payments: readonly Payment[]): Promise<void> {
  await tx.query({
    name: 'save_payments',
    text: `insert into payment
             (player_id, payment_key, payment_id, type, status, orphan, counted, reapproved, at, day, amount, currency,
              exchange_rate, base_amount, base_fee, vendor_id, vendor_name, origin, bonus_code, note, conflicts, events)
           select player_id, decode(payment_key, 'hex'), payment_id, type, status, orphan, counted, reapproved, at, day,
                  amount, currency, exchange_rate, base_amount, base_fee, vendor_id, vendor_name, origin, bonus_code,
                  note, conflicts, events
           from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[],
                       $8::boolean[], $9::timestamptz[], $10::date[], $11::numeric[], $12::text[], $13::numeric[],
                       $14::numeric[], $15::numeric[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[],
                       $21::int[], $22::jsonb[])
             as p(player_id, payment_key, payment_id, type, status, orphan, counted, reapproved, at, day, amount,
                  currency, exchange_rate, base_amount, base_fee, vendor_id, vendor_name, origin, bonus_code, note,
                  conflicts, events)
           on conflict (player_id, payment_key) do update set
             status = excluded.status, orphan = excluded.orphan, counted = excluded.counted,
             reapproved = excluded.reapproved, at = excluded.at, day = excluded.day, amount = excluded.amount,
             currency = excluded.currency, exchange_rate = excluded.exchange_rate, base_amount = excluded.base_amount,
             base_fee = excluded.base_fee, vendor_id = excluded.vendor_id, vendor_name = excluded.vendor_name,
             origin = excluded.origin, bonus_code = excluded.bonus_code, note = excluded.note,
             conflicts = excluded.conflicts, events = excluded.events`,
    values: [
      payments.map((p) => p.player_id),
      payments.map((p) => p.payment_key),
      payments.map((p) => p.payment_id),
      payments.map((p) => p.type),
      payments.map((p) => p.status),
      payments.map((p) => p.orphan),
      payments.map((p) => p.counted),
      payments.map((p) => p.reapproved),
      payments.map((p) => p.at),
      payments.map((p) => p.day),
      payments.map((p) => p.amount),
      payments.map((p) => p.currency),
      payments.map((p) => p.exchange_rate),
      payments.map((p) => p.base_amount),
      payments.map((p) => p.base_fee),
      payments.map((p) => p.vendor_id),
      payments.map((p) => p.vendor_name),
      payments.map((p) => p.origin),
      payments.map((p) => p.bonus_code),
      payments.map((p) => p.note),
      payments.map((p) => p.conflicts),
      payments.map((p) => JSON.stringify(p.events)),
    ],
  });
}

export async function saveReports(tx: ClientBase, reports: readonly Report[]): Promise<void> {
  await tx.query({
    name: 'save_payment_reports',
    text: `insert into payment_report as t (player_id, name, value, at, fingerprint)
           select player_id, name, value, at, decode(fingerprint, 'hex')
           from unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[])
             as r(player_id, name, value, at, fingerprint)
           on conflict (player_id, name) do update
             set value = excluded.value, at = excluded.at, fingerprint = excluded.fingerprint
             where excluded.at > t.at or (excluded.at = t.at and excluded.fingerprint < t.fingerprint)`,
    values: [
      reports.map((r) => r.player_id),
      reports.map((r) => r.name),
      reports.map((r) => r.value),
      reports.map((r) => r.at),
      reports.map((r) => r.fingerprint),
    ],
  });
}

/** One row per payment that counts, as `TotalsSpec.facts` wants it. */
export const countedPayments = `
  select player_id, at, day, vendor_id,
         case when type = 'Credit' then base_amount end as deposit_biggest,
         case when type = 'Debit' then base_amount end as withdrawal_biggest,
         case when type = 'Credit' then at end as deposit_at,
         case when type = 'Debit' then at end as withdrawal_at
  from payment
  where counted`;
