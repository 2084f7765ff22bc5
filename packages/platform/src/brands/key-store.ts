import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';

type Db = Pool | ClientBase;

/** A key as stored: the key itself cannot be read again. */
export interface ApiKey {
  api_key_id: number;
  name: string;
  declared: boolean;
  created_at: Micros;
  revoked_at: Micros | null;
}

/** The brand that has a key, including revoked keys. */
export interface KeyHolder {
  api_key_id: number;
  brand_id: number;
  brand_code: string;
  name: string;
  sha256: Buffer;
  revoked_at: Micros | null;
}

interface HashedKey {
  name: string;
  sha256: Buffer;
}

export async function readActiveKeys(db: Db): Promise<{ brand_id: number; sha256: Buffer }[]> {
  const { rows } = await db.query<{ brand_id: number; sha256: Buffer }>(
    'select brand_id, sha256 from api_key where revoked_at is null',
  );
  return rows;
}

export async function readKeys(db: Db, brandId: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `select api_key_id, name, declared, created_at, revoked_at from api_key where brand_id = $1 order by api_key_id`,
    [brandId],
  );
  return rows;
}

export async function readHolders(db: Db, hashes: readonly Buffer[]): Promise<KeyHolder[]> {
  const { rows } = await db.query<KeyHolder>(
    `select k.api_key_id, k.brand_id, brand.code as brand_code, k.name, k.sha256, k.revoked_at
     from api_key k join brand using (brand_id) where k.sha256 = any ($1::bytea[]) order by k.api_key_id`,
    [hashes],
  );
  return rows;
}

/** @returns undefined if the brand already has a key of that name. @throws if the hash is already stored */
export async function insertKey(
  db: Db,
  key: { brand_id: number; name: string; sha256: Buffer },
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKey>(
    `insert into api_key (brand_id, name, sha256) values ($1, $2, $3)
     on conflict (brand_id, name) do nothing
     returning api_key_id, name, declared, created_at, revoked_at`,
    [key.brand_id, key.name, key.sha256],
  );
  return rows[0];
}

/** @returns false if another key of the brand has the name */
export async function renameKey(db: Db, apiKeyId: number, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_key k set name = $2 where k.api_key_id = $1
     and not exists (select from api_key other where other.brand_id = k.brand_id and other.name = $2)`,
    [apiKeyId, name],
  );
  return rowCount === 1;
}

/**
 * Makes the declared keys of a brand its own, valid and with exactly these names. A key is identified by its hash, and
 * the name is only a label: a key with a new name in the file keeps its row.
 *
 * None of the hashes may belong to another brand (`readHolders`).
 */
export async function saveDeclaredKeys(db: Db, brandId: number, keys: readonly HashedKey[]): Promise<void> {
  const parameters = [brandId, keys.map((key) => key.name), keys.map((key) => key.sha256)];
  // If the file now gives a name to another key, that key replaces the one that had the name.
  await db.query(
    'delete from api_key where brand_id = $1 and name = any ($2::text[]) and sha256 <> all ($3::bytea[])',
    parameters,
  );
  // Two keys may have swapped their names, and the unique constraint is checked for each changed row. So they get
  // temporary names first.
  await db.query(
    `update api_key k set name = gen_random_uuid()::text
     from unnest($2::text[], $3::bytea[]) as d(name, sha256)
     where k.brand_id = $1 and k.sha256 = d.sha256 and k.name <> d.name`,
    parameters,
  );
  await db.query(
    `insert into api_key (brand_id, name, sha256, declared)
     select $1, d.name, d.sha256, true from unnest($2::text[], $3::bytea[]) as d(name, sha256)
     on conflict (sha256) do update set name = excluded.name, declared = true, revoked_at = null
     where (api_key.name, api_key.declared) is distinct from (excluded.name, true) or api_key.revoked_at is not null`,
    parameters,
  );
}

/**
 * Revokes keys that were removed from the configuration file. To revoke a declared key, a person removes it from the file.
 */
export async function revokeOtherDeclaredKeys(db: Db, brandId: number, names: readonly string[]): Promise<void> {
  await db.query(
    `update api_key set revoked_at = now()
     where brand_id = $1 and declared and revoked_at is null and name <> all ($2::text[])`,
    [brandId, names],
  );
}

/** @returns false if the brand has no such key, or if it was already revoked */
export async function markRevoked(db: Db, brandId: number, apiKeyId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update api_key set revoked_at = now() where brand_id = $1 and api_key_id = $2 and revoked_at is null',
    [brandId, apiKeyId],
  );
  return rowCount === 1;
}
