import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import { countDevices, insertPair, type KeyRow, lockPairs, readPairs, retirePairs } from './key-store.ts';
import { makePair, openPair } from './vapid.ts';

/**
 * Maximum number of a brand's former pairs that still have devices. Each is kept for players who may never return, so their
 * number is limited.
 */
export const maxFormerPairs = 10;

/** Displayed counts of devices per pair stop here; the number then means "at least". */
const mostShown = 10_000;

export interface Rotation {
  key_id: number;
  public_key: string;
  created_at: Micros;
  /** Devices of former pairs. They get pushes until a page is opened on them; then they move to the new pair. */
  devices_kept: number;
  /** Devices that get no pushes any more, because their pairs are now revoked. */
  devices_dropped: number;
}

/**
 * Creates a new pair of keys for a brand. Devices keep the pair with which they subscribed, unless it is revoked. All former pairs are
 * revoked if the caller asks for it. Pairs that can no longer be read are always revoked.
 *
 * A revocation is one row per pair, regardless of its number of devices. After the commit, no push to them begins
 * (send.ts), and key-upkeep.ts removes them.
 *
 * @returns null if too many former pairs would be left; nothing has changed then
 */
export async function rotateKeys(
  tx: ClientBase,
  vault: Vault,
  brand: Pick<Brand, 'brand_id' | 'code'>,
  { revoke }: { revoke: boolean },
  at: Micros,
): Promise<Rotation | null> {
  const { brand_id } = brand;
  await lockPairs(tx, brand_id);
  const pairs = (await readPairs(tx, brand_id)).filter(({ revoked_at }) => revoked_at === null);
  const isLost = (pair: KeyRow) => revoke || openPair(vault, brand, pair) === null;
  const lost = pairs.filter(isLost).map(({ key_id }) => key_id);
  if (pairs.length - lost.length > maxFormerPairs) return null;

  await retirePairs(tx, brand_id, lost, at);
  const { key_id, public_key } = await insertPair(tx, brand_id, makePair(vault, brand), at);
  const devices = await countDevices(tx, brand_id, Number.MAX_SAFE_INTEGER);
  const count = (ids: readonly number[]) => ids.reduce((sum, id) => sum + (devices.get(id) ?? 0), 0);
  const retained = pairs.map((pair) => pair.key_id).filter((id) => !lost.includes(id));
  return { key_id, public_key, created_at: at, devices_kept: count(retained), devices_dropped: count(lost) };
}

/** A pair as shown to people. */
export interface ListedPair extends Omit<KeyRow, 'sealed'> {
  /** Whether its private key can be used with the current CROUPIER_SECRET. */
  readable: boolean;
  devices: number;
}

/** Pairs that cannot sign because they cannot be read, and that are not revoked; null if every pair can be read. */
export async function readUnreadable(
  pool: Pool,
  vault: Vault,
  brand: Pick<Brand, 'brand_id' | 'code'>,
): Promise<{ isCurrent: boolean; devices: number } | null> {
  const pairs = await readPairs(pool, brand.brand_id);
  const lost = pairs.filter((pair) => pair.revoked_at === null && openPair(vault, brand, pair) === null);
  if (lost.length === 0) return null;
  const devices = await countDevices(pool, brand.brand_id, mostShown);
  return {
    isCurrent: lost.some(({ replaced_at }) => replaced_at === null),
    devices: lost.reduce((sum, { key_id }) => sum + (devices.get(key_id) ?? 0), 0),
  };
}

/** The current pair comes first. */
export async function listPairs(
  pool: Pool,
  vault: Vault,
  brand: Pick<Brand, 'brand_id' | 'code'>,
): Promise<ListedPair[]> {
  const [pairs, devices] = await Promise.all([
    readPairs(pool, brand.brand_id),
    countDevices(pool, brand.brand_id, mostShown),
  ]);
  return pairs.map(({ sealed, ...pair }) => ({
    ...pair,
    readable: openPair(vault, brand, { ...pair, sealed }) !== null,
    devices: devices.get(pair.key_id) ?? 0,
  }));
}
