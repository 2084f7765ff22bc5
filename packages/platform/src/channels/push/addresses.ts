import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type ResolveHost, resolveNamed, resolvePublic } from './resolve-host.ts';

/*
 * Endpoints come from browsers, so anyone can name any address and make this server call it from inside its network. Only
 * addresses of the public internet are called; others only if an administrator of the brand allowed the origin. The check runs
 * between resolving and connecting, on the address that is then used, so a name that resolves differently the second time
 * cannot bypass it. (Addresses of operators have other rules: operator/calling/client/addresses.ts.)
 */
const special = new BlockList();
// IANA special-purpose registry: everything that is not "globally reachable", and multicast with everything above it.
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(net, bits, 'ipv4');
// Within 2000::/3: protocol assignments with Teredo, documentation, 6to4 (which embeds an IPv4 address).
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, 'ipv6');
/** All global unicast assigned so far. Loopback, link-local, unique local, mapped and translated IPv4 lie outside. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address belongs to the public internet. False for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  constructor(host: string) {
    super(`${host} is not a public address; to allow it, add its origin to push.private_origins`);
  }
}

/** This machine by definition (RFC 6761), even if name servers say otherwise. */
const isThisMachine = (hostname: string) => /(^|\.)localhost\.?$/i.test(hostname);

const neverConnected = new WeakSet<Error>();

/** Whether the connector failed with this error, including a failed TLS handshake. If so, no byte of the request was sent. */
export function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && neverConnected.has(error);
}

/** A connector for undici that connects only to public addresses. A name with one private address among public ones is refused. */
export function publicConnector(
  connectTimeoutMs: number,
  {
    mayBePrivate,
    resolve = mayBePrivate ? resolveNamed : resolvePublic,
  }: { mayBePrivate: boolean; resolve?: ResolveHost },
): buildConnector.connector {
  const isAllowed = (address: string) => mayBePrivate || isPublicAddress(address);
  const checkedLookup = (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
          callback(new PrivateAddress(hostname), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: checkedLookup as LookupFunction,
  });
  return (options, callback) => {
    const done: buildConnector.Callback = (...[error, socket]) => {
      if (error === null) return callback(null, socket);
      neverConnected.add(error);
      callback(error, null);
    };
    // An address in place of a name is not looked up.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const isRefused = isIP(host) === 0 ? isThisMachine(host) && !mayBePrivate : !isAllowed(host);
    if (isRefused) done(new PrivateAddress(host), null);
    else connect(options, done);
  };
}
