import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';

/**
 * All SQL statements on address_suppression. Addresses and mobile numbers are passed as keyed hashes (Vault.addressKey), never
 * in plain text.
 */
export const suppressionReasons = ['bounced', 'complained', 'staff'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export interface Suppression {
  reason: SuppressionReason;
  detail: string | null;
  added_at: Micros;
  added_by: string | null;
}

/**
 * The first reason is kept, except that a complaint or the staff replaces a bounce, because they count for more: such a number is not called
 * by telephone either.
 *
 * @returns false if nothing changed
 */
export async function suppress(
  db: ClientBase | Pool,
  { brand_id, address_key }: { brand_id: number; address_key: Buffer },
  { reason, detail, added_at, added_by }: Suppression,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'suppress_address',
    text: `insert into address_suppression (brand_id, address_key, reason, detail, added_at, added_by) values ($1, $2, $3, $4, $5, $6)
           on conflict (brand_id, address_key) do update
              set reason = excluded.reason, detail = excluded.detail, added_at = excluded.added_at, added_by = excluded.added_by
            where address_suppression.reason = 'bounced' and excluded.reason <> 'bounced'`,
    values: [brand_id, address_key, reason, detail, timestamptzText(added_at), added_by],
  });
  return (rowCount ?? 0) > 0;
}

export async function findSuppression(
  db: ClientBase | Pool,
  { brand_id, address_key }: { brand_id: number; address_key: Buffer },
): Promise<Suppression | null> {
  const { rows } = await db.query<Suppression>({
    name: 'find_suppression',
    text: 'select reason, detail, added_at, added_by from address_suppression where brand_id = $1 and address_key = $2',
    values: [brand_id, address_key],
  });
  return rows[0] ?? null;
}

/** The addresses or numbers that are on the list for one of the reasons, by their key in hexadecimal digits. */
export async function findSuppressed(
  db: ClientBase | Pool,
  { brand_id, address_keys }: { brand_id: number; address_keys: readonly Buffer[] },
  reasons: readonly SuppressionReason[],
): Promise<Set<string>> {
  if (address_keys.length === 0) return new Set();
  const { rows } = await db.query<{ address_key: Buffer }>({
    name: 'find_suppressed',
    text: `select address_key from address_suppression
            where brand_id = $1 and address_key = any($2::bytea[]) and reason = any($3::text[])`,
    values: [brand_id, address_keys, reasons],
  });
  return new Set(rows.map(({ address_key }) => address_key.toString('hex')));
}

export async function unsuppress(
  db: ClientBase | Pool,
  { brand_id, address_key }: { brand_id: number; address_key: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query('delete from address_suppression where brand_id = $1 and address_key = $2', [
    brand_id,
    address_key,
  ]);
  return (rowCount ?? 0) > 0;
}
