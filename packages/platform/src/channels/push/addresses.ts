import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type ResolveHost, resolveNamed, resolvePublic } from './resolve-host.ts';

/*
 * Endpoints come from browsers, so anybody may name any address, and would have this server call it from inside its network. Only
 * addresses of the public internet are dialled, others only where an administrator of the brand named the origin. The check sits
 * between resolving and connecting, on the very address that is then dialled: a name that changes its mind in between gains
 * nothing. (Addresses of operators are another matter: operator/calling/client/addresses.ts.)
 */
const special = new BlockList();
// IANA special-purpose registry, all that is not "globally reachable", and multicast with all above it.
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
// Within 2000::/3: protocol assignments with Teredo, documentation, 6to4 (an IPv4 address in disguise).
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, 'ipv6');
/** All global unicast there is so far. Loopback, link-local, unique local, mapped and translated IPv4 lie outside. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one of the public internet. False for what is no address. */
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
    super(`${host} is no address of the public internet: name its origin in push.private_origins if it is meant`);
  }
}

/** This machine by definition (RFC 6761), and no matter for name servers. */
const isThisMachine = (hostname: string) => /(^|\.)localhost\.?$/i.test(hostname);

const neverConnected = new WeakSet<Error>();

/** Whether this is how the connector failed, the handshake of TLS included: then not a byte of the request left. */
export function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && neverConnected.has(error);
}

/** A connector for undici that dials public addresses only. One name with one private address among public ones is refused whole. */
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
    // No look-up takes place for an address in place of a name.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const isRefused = isIP(host) === 0 ? isThisMachine(host) && !mayBePrivate : !isAllowed(host);
    if (isRefused) done(new PrivateAddress(host), null);
    else connect(options, done);
  };
}
