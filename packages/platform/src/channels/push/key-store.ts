import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/**
 * All SQL statements on push_key. Code that changes a pair locks it before devices. Code that subscribes a device locks its
 * pair with a shared lock (`holdPair`). So either a revocation finds the device, or the subscription finds the pair revoked.
 */
export interface KeyRow {
  key_id: number;
  public_key: string;
  /** The private key, encrypted with CROUPIER_SECRET. */
  sealed: Buffer;
  created_at: Micros;
  /** Null for the current pair. */
  replaced_at: Micros | null;
  revoked_at: Micros | null;
}

const columns = 'key_id, public_key, sealed, created_at, replaced_at, revoked_at';

export async function readCurrent(db: ClientBase | Pool, brandId: number): Promise<KeyRow | null> {
  const { rows } = await db.query<KeyRow>(
    `select ${columns} from push_key where brand_id = $1 and replaced_at is null`,
    [brandId],
  );
  return rows[0] ?? null;
}

/** All pairs of a brand, the current one first; at most `maxFormerPairs` former ones, plus those that were just revoked. */
export async function readPairs(db: ClientBase | Pool, brandId: number): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>(`select ${columns} from push_key where brand_id = $1 order by key_id desc`, [
    brandId,
  ]);
  return rows;
}

/** Until the end of the transaction no other transaction can create or replace a pair of this brand, not even its first one. */
export async function lockPairs(tx: ClientBase, brandId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('push_key'), $1)`, [brandId]);
}

export async function insertPair(
  tx: ClientBase,
  brandId: number,
  { public_key, sealed }: Pick<KeyRow, 'public_key' | 'sealed'>,
  at: Micros,
): Promise<KeyRow> {
  const { rows } = await tx.query<KeyRow>(
    `insert into push_key (brand_id, public_key, sealed, created_at) values ($1, $2, $3, $4) returning ${columns}`,
    [brandId, public_key, sealed, timestamptzText(at)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert returns its row');
  return row;
}

/** Revokes these pairs and leaves no current one. Waits for devices that are subscribing with one of them. */
export async function retirePairs(
  tx: ClientBase,
  brandId: number,
  revoked: readonly number[],
  at: Micros,
): Promise<void> {
  await tx.query(
    `update push_key set replaced_at = coalesce(replaced_at, $3),
                         revoked_at = coalesce(revoked_at, case when key_id = any($2::bigint[]) then $3::timestamptz end)
      where brand_id = $1 and (replaced_at is null or key_id = any($2::bigint[]))`,
    [brandId, revoked, timestamptzText(at)],
  );
}

/**
 * The pair with which a device subscribes, locked until the end of the transaction.
 *
 * @param publicKey the key that the device's page names. If undefined, a known endpoint keeps its earlier key, because
 * a browser creates a new endpoint for another key. A new endpoint gets the current key.
 * @returns null if the brand has no such pair, or it is revoked
 */
export async function holdPair(
  tx: ClientBase,
  { brand_id, endpoint_hash }: { brand_id: number; endpoint_hash: Buffer },
  publicKey: string | undefined,
): Promise<Pick<KeyRow, 'key_id' | 'public_key'> | null> {
  const { rows: devices } = await tx.query<{ key_id: number }>(
    'select key_id from push_subscription where brand_id = $1 and endpoint_hash = $2',
    [brand_id, endpoint_hash],
  );
  const { rows } = await tx.query<Pick<KeyRow, 'key_id' | 'public_key'>>(
    `select k.key_id, k.public_key from push_key k
      where k.brand_id = $1 and k.revoked_at is null
        and case when $3::text is not null then k.public_key = $3
                 when $2::bigint is not null then k.key_id = $2
                 else k.replaced_at is null end
        for share of k`,
    [brand_id, devices[0]?.key_id ?? null, publicKey ?? null],
  );
  return rows[0] ?? null;
}

/** Number of devices of each pair of a brand. */
export async function countDevices(db: ClientBase | Pool, brandId: number, most: number): Promise<Map<number, number>> {
  const { rows: keys } = await db.query<{ key_id: number }>('select key_id from push_key where brand_id = $1', [
    brandId,
  ]);
  const { rows } = await db.query<{ key_id: number; devices: number }>(
    `select k.key_id, d.devices from unnest($1::bigint[]) as k (key_id)
      cross join lateral (select count(*)::int as devices from (
        select from push_subscription s where s.key_id = k.key_id limit $2) s) d`,
    [keys.map(({ key_id }) => key_id), most],
  );
  return new Map(rows.map(({ key_id, devices }) => [key_id, devices]));
}

/*
 * Most devices belong to a few pairs, so PostgreSQL expects to find a device of any pair quickly. If a pair has none, PostgreSQL
 * would read all devices of all brands. So this query reads the first devices in the order of the index, starting at the pair, and
 * then checks the pair of each of them.
 */
const from = (pair: string) =>
  `from push_subscription s where s.key_id >= ${pair} order by s.key_id, s.subscription_id`;

/** Devices whose pair is revoked. */
export async function devicesOfRevoked(tx: ClientBase, limit: number): Promise<number[]> {
  const { rows: revoked } = await tx.query<{ key_id: number }>(
    'select key_id from push_key where revoked_at is not null',
  );
  const { rows } = await tx.query<{ subscription_id: number }>(
    `select d.subscription_id from unnest($1::bigint[]) as k (key_id)
      cross join lateral (select s.subscription_id, s.key_id ${from('k.key_id')} limit $2) d
      where d.key_id = k.key_id limit $2`,
    [revoked.map(({ key_id }) => key_id), limit],
  );
  return rows.map(({ subscription_id }) => subscription_id);
}

/**
 * Deletes pairs without devices: revoked ones, and those replaced before the given time. They are locked first and then checked
 * again, because a device may have subscribed in the meantime. Pairs that another transaction has locked are left for the next
 * time.
 */
export async function deleteUnused(tx: ClientBase, before: Micros): Promise<number> {
  const { rows: over } = await tx.query<{ key_id: number }>(
    `select key_id from push_key where revoked_at is not null or replaced_at < $1`,
    [timestamptzText(before)],
  );
  const unused = await withoutDevices(tx, over);
  if (unused.length === 0) return 0;
  const { rows: locked } = await tx.query<{ key_id: number }>(
    'select key_id from push_key where key_id = any($1::bigint[]) order by key_id for update skip locked',
    [unused],
  );
  const { rowCount } = await tx.query('delete from push_key where key_id = any($1::bigint[])', [
    await withoutDevices(tx, locked),
  ]);
  return rowCount ?? 0;
}

async function withoutDevices(tx: ClientBase, keys: readonly { key_id: number }[]): Promise<number[]> {
  const { rows } = await tx.query<{ key_id: number }>(
    `select k.key_id from unnest($1::bigint[]) as k (key_id)
      where (select s.key_id ${from('k.key_id')} limit 1) is distinct from k.key_id`,
    [keys.map(({ key_id }) => key_id)],
  );
  return rows.map(({ key_id }) => key_id);
}
