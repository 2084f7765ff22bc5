import type { ClientBase, Pool } from 'pg';
import { WordedError } from '../language.ts';
import {
  type ApiKey,
  insertKey,
  type KeyHolder,
  markRevoked,
  readHolders,
  readKeys,
  renameKey,
  revokeOtherDeclaredKeys,
  saveDeclaredKeys,
} from './key-store.ts';
import { keyHash, newKey } from './keys.ts';

/*
 * Assigns keys to brands. A key determines which brand an event belongs to, so two brands never share one. A brand also never gets a key
 * that another brand has revoked. The operator may still repeat events with that key, and they would be stored for the wrong brand.
 */

interface BrandRef {
  brand_id: number;
  code: string;
}

interface NamedKey {
  name: string;
  key: string;
}

/**
 * Makes exactly these keys the declared keys of the brand: adds new ones, renames renamed ones, and revokes missing
 * ones.
 *
 * @throws {KeyRefused} if one of them belongs to another brand
 */
export async function declareKeys(tx: ClientBase, brand: BrandRef, keys: readonly NamedKey[]): Promise<void> {
  const hashed = keys.map(({ name, key }) => ({ name, sha256: keyHash(key) }));
  const holders = await readHolders(
    tx,
    hashed.map(({ sha256 }) => sha256),
  );
  for (const holder of holders) {
    if (holder.brand_id === brand.brand_id) continue;
    const { name } = hashed.find(({ sha256 }) => sha256.equals(holder.sha256)) ?? holder;
    throw keyOfAnother(brand, name, holder);
  }
  await saveDeclaredKeys(tx, brand.brand_id, hashed);
  await revokeOtherDeclaredKeys(
    tx,
    brand.brand_id,
    keys.map(({ name }) => name),
  );
}

/**
 * Adds a key to a brand manually. If the brand already has the key, it gets the new name; with the same name, nothing
 * changes.
 *
 * @throws {KeyNameTaken} if another key of the brand has the name
 * @throws {KeyRefused} if the key belongs to another brand, or was revoked
 */
export async function addKey(tx: ClientBase, brand: BrandRef, { name, key }: NamedKey): Promise<void> {
  const sha256 = keyHash(key);
  const [holder] = await readHolders(tx, [sha256]);
  if (holder === undefined) {
    const created = await insertKey(tx, { brand_id: brand.brand_id, name, sha256 });
    if (created === undefined) throw new KeyNameTaken(name);
    return;
  }
  if (holder.brand_id !== brand.brand_id) throw keyOfAnother(brand, name, holder);
  if (holder.revoked_at !== null) {
    throw new KeyRefused(brand.code, name, `was revoked (its name is ${holder.name}); use another key`);
  }
  if (holder.name !== name && !(await renameKey(tx, holder.api_key_id, name))) throw new KeyNameTaken(name);
}

/** The key is returned only here; it cannot be read again. @throws {KeyNameTaken} */
export async function createKey(
  db: Pool | ClientBase,
  brandId: number,
  name: string,
): Promise<{ key: string; api_key: ApiKey }> {
  const key = newKey();
  const created = await insertKey(db, { brand_id: brandId, name, sha256: keyHash(key) });
  if (created === undefined) throw new KeyNameTaken(name);
  return { key, api_key: created };
}

export async function listKeys(pool: Pool, brandId: number): Promise<ApiKey[]> {
  return readKeys(pool, brandId);
}

/**
 * Revokes a key. Each process refuses it after its next refresh, within 1 s. Returns false if there is no such key, or
 * if it was already revoked.
 */
export async function revokeKey(db: Pool | ClientBase, brandId: number, apiKeyId: number): Promise<boolean> {
  return markRevoked(db, brandId, apiKeyId);
}

export class KeyNameTaken extends WordedError {
  override name = 'KeyNameTaken';
  constructor(name: string) {
    super({
      en: `the brand already has a key named ${name}; choose another name (a revoked key keeps its name)`,
      de: `Die Marke hat bereits einen Schlüssel mit dem Namen ${name}; wählen Sie einen anderen (ein widerrufener Schlüssel behält seinen Namen)`,
    });
  }
}

/** The brand cannot have this key. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
  constructor(brandCode: string, keyName: string, reason: string) {
    super(`the key named ${keyName} of brand ${brandCode} ${reason}`);
  }
}

function keyOfAnother(brand: BrandRef, name: string, { brand_code, name: theirName, revoked_at }: KeyHolder) {
  const revoked = revoked_at === null ? '' : ', revoked';
  return new KeyRefused(
    brand.code,
    name,
    `is a key of brand ${brand_code} (named ${theirName}${revoked}); use a different key for each brand`,
  );
}
