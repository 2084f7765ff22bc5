import type { ClientBase, Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { type Device, type DeviceFault, hashOfEndpoint, readDevice } from './device.ts';
import { dropDevices, replaceEndpoint, saveSubscription } from './subscription-store.ts';
import type { PushTokens } from './tokens.ts';
import type { BrandPushKeys } from './vapid.ts';

/** What a browser posts about a device: `PushSubscription.toJSON()`. */
export interface PostedDevice {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** The brand's key with which it subscribed. */
  public_key?: string | undefined;
}

interface Deps {
  pool: Pool;
  vault: Vault;
  keys: Pick<BrandPushKeys, 'of'>;
  tokens: PushTokens;
  clock: Clock;
}

/** The player who subscribes a device, and the session. */
export interface Subscriber {
  brand: Brand;
  player_id: number;
  /** The device is removed when this session ends. */
  sid_hash: string;
  /** Whether the session is still active. It is called under a lock, and a session cannot end while the lock is held. */
  isSignedIn(tx: ClientBase): Promise<boolean>;
}

/** unknown: the session, the player or the device does not exist, or no longer exists. key: the brand no longer uses that key. */
type Unbound = { token?: never; fault: DeviceFault | 'unknown' | 'key' };
export type Subscribed = { token: string; public_key: string; fault?: never } | Unbound;
export type Renewed = { token: string; fault?: never } | Unbound;

/**
 * Binds a device to a player. Repeating it at each sign-in confirms it. A device of another player moves to this one.
 *
 * @returns a token with which the device's script can replace its endpoint, and the brand's key that signs pushes to it
 * @throws {Unreadable} if the brand's pair of keys cannot be read, so that it cannot send pushes
 */
export async function subscribe(
  { pool, vault, keys, tokens, clock }: Deps,
  { brand, player_id, sid_hash, isSignedIn }: Subscriber,
  posted: PostedDevice,
): Promise<Subscribed> {
  const { device, fault } = readDevice(posted, brand.settings.push.private_origins);
  if (fault !== undefined) return { fault };
  // The first device of a brand may subscribe before the key was ever requested.
  await keys.of(brand);
  const { brand_id } = brand;
  const { public_key } = posted;
  const subscription = { brand_id, player_id, sid_hash, public_key, ...stored(vault, brand, device) };
  const saved = await transaction(pool, (tx) => saveSubscription(tx, subscription, isSignedIn, clock()));
  if (saved === 'unknown' || saved === 'key') return { fault: saved };
  return { token: tokens.write('renewal', brand_id, saved.subscription_id), public_key: saved.public_key };
}

/** Removes a device if it is this player's; otherwise does nothing. */
export async function unsubscribe(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { brand, player_id }: { brand: Pick<Brand, 'brand_id'>; player_id: number },
  endpoint: string,
): Promise<void> {
  const { brand_id } = brand;
  const whose = { by: 'endpoint', brand_id, player_id, endpoint_hash: hashOfEndpoint(endpoint) } as const;
  await transaction(pool, (tx) => dropDevices(tx, whose, 'unsubscribed', clock()));
}

/** Replaces the endpoint of a device. The browser changed it while no page was open, and uses the same key. */
export async function renew(
  { pool, vault, tokens }: Omit<Deps, 'clock' | 'keys'>,
  brand: Brand,
  token: string,
  posted: PostedDevice,
): Promise<Renewed> {
  const subscription_id = tokens.read('renewal', brand.brand_id, token);
  if (subscription_id === null) return { fault: 'unknown' };
  const { device, fault } = readDevice(posted, brand.settings.push.private_origins);
  if (fault !== undefined) return { fault };
  const { brand_id } = brand;
  const renewed = { subscription_id, brand_id, ...stored(vault, brand, device) };
  const isReplaced = await transaction(pool, (tx) => replaceEndpoint(tx, renewed)).catch(takenMeanwhile);
  return isReplaced ? { token } : { fault: 'unknown' };
}

/** Another device got the endpoint at the same moment. The result is as if the other device had been first. */
function takenMeanwhile(error: unknown): false {
  if ((error as { code?: unknown }).code === '23505') return false;
  throw error;
}

function stored(vault: Vault, brand: Brand, device: Device) {
  const host = new URL(device.endpoint).host;
  return { endpoint_hash: hashOfEndpoint(device.endpoint), sealed: vault.seal(brand.code, device), host };
}
