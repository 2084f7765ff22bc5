import { timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';

/** The caller that requests the metrics. */
export interface Scraper {
  /** The address of the caller, as far as the proxies in front are trusted. */
  address: string;
  /** An untrusted proxy forwarded the call: the address is the proxy's, not the caller's. */
  behindUnknownProxy: boolean;
  /** The Authorization header. */
  authorization: string | undefined;
}

export type MetricsRefusal = 'unauthorized' | 'forbidden';

/**
 * Returns why a caller may not read the metrics; null if it may. Pure.
 *
 * With a token (setting `metrics.token`), only the token counts, and the address does not matter. Without a token,
 * callers on this machine and in private networks may read the metrics. So a scraper there needs no setting, and other
 * callers learn nothing about events, players and errors.
 */
export function metricsRefusal(scraper: Scraper, token: string | undefined): MetricsRefusal | null {
  if (token !== undefined) return isBearer(scraper.authorization, token) ? null : 'unauthorized';
  return !scraper.behindUnknownProxy && isPrivate(scraper.address) ? null : 'forbidden';
}

function isBearer(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(/^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '');
  const expected = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Loopback, and the networks of RFC 1918, RFC 4193 and link-local addresses. */
export function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return privateNetworks.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
}

const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv6');
