import { createHash, ECDH } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * A device as described by its browser (`PushSubscription.toJSON()`): the address for pushes, and the key for encryption. It is
 * untrusted input, because the sender calls any address in `endpoint`.
 */
export interface Device {
  endpoint: string;
  /** Its public key: P-256, uncompressed, base64url (like `auth`). */
  p256dh: string;
  /** 16 random bytes. */
  auth: string;
}

/** Endpoints of the large push services have 150 to 400 characters. */
const maxEndpoint = 1_000;

/** Why a browser's description is invalid. */
export type DeviceFault = 'endpoint' | 'keys';

/**
 * Reads a subscription posted by a browser. An endpoint must use https, a host name, port 443 (which all push services use), no
 * user, and no fragment; for an origin that the brand allows, the scheme, the host and the port may be any. The address to which the name
 * resolves is checked when it is called (addresses.ts), because it may change.
 */
export function readDevice(
  posted: { endpoint: string; keys: { p256dh: string; auth: string } },
  privateOrigins: readonly string[],
): { device: Device; fault?: never } | { device?: never; fault: DeviceFault } {
  const { endpoint, keys } = posted;
  const url = endpoint.length > maxEndpoint ? null : URL.parse(endpoint);
  if (url === null || !isDialable(url, privateOrigins)) return { fault: 'endpoint' };
  const p256dh = Buffer.from(keys.p256dh, 'base64url');
  const auth = Buffer.from(keys.auth, 'base64url');
  if (auth.length !== 16 || !isPoint(p256dh)) return { fault: 'keys' };
  return { device: { endpoint: url.href, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } };
}

function isDialable(url: URL, privateOrigins: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  return (url.protocol === 'https:' && url.port === '' && isName) || isPrivateOrigin(url, privateOrigins);
}

/** Whether an administrator of the brand allowed this origin (setting `push.private_origins`). */
export function isPrivateOrigin(url: URL, privateOrigins: readonly string[]): boolean {
  return privateOrigins.some((origin) => URL.parse(origin)?.origin === url.origin);
}

/** Whether the key is a point of the curve. With an invalid key every push to this device would fail. */
function isPoint(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  try {
    ECDH.convertKey(key, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** The id of a device: its endpoint is unique to browser, profile, site and brand. */
export function hashOfEndpoint(endpoint: string): Buffer {
  return createHash('sha256')
    .update(URL.parse(endpoint)?.href ?? endpoint)
    .digest();
}
