import { createHash, ECDH } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * A device as its browser describes it (`PushSubscription.toJSON()`): where to push to, and for whom to encrypt.
 * It comes from a browser, so it is hostile input: the sender calls whatever stands in `endpoint`.
 */
export interface Device {
  endpoint: string;
  /** Its public key, P-256, uncompressed; base64url, as is `auth`. */
  p256dh: string;
  /** 16 random bytes. */
  auth: string;
}

/** Endpoints of the great push services have 150 to 400 characters. */
const maxEndpoint = 1_000;

/** Why a browser's description is no device. */
export type DeviceFault = 'endpoint' | 'keys';

/**
 * Reads what a browser posted. An endpoint has https, a name, the port 443 that all push services use, no user, and no fragment; origins
 * that the brand allows may be any other. What its name resolves to is looked at when it is dialled (addresses.ts), and not before: it may change.
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

/** Whether an administrator of the brand named this origin (setting `push.private_origins`). */
export function isPrivateOrigin(url: URL, privateOrigins: readonly string[]): boolean {
  return privateOrigins.some((origin) => URL.parse(origin)?.origin === url.origin);
}

/** A point of the curve: a key that is none would make every push to this device fail. */
function isPoint(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  try {
    ECDH.convertKey(key, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** The name of a device: its endpoint is unique to browser, profile, site and brand. */
export function hashOfEndpoint(endpoint: string): Buffer {
  return createHash('sha256')
    .update(URL.parse(endpoint)?.href ?? endpoint)
    .digest();
}
