import { type LookupAddress, type LookupAllOptions, type LookupOptions, lookup } from 'node:dns';
import type { EventEmitter } from 'node:events';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/*
 * Operator addresses are set by administrators and may be private (docs/reference/design.md 7), because an operator may run in
 * the same network. A cloud's metadata address is never an operator: it gives credentials to any caller inside the network. A
 * base_url that leads there, directly or by name, is refused. The check runs between resolving and connecting, on the address
 * that is then used, so a name that resolves differently the second time cannot bypass it.
 */
const metadata = new BlockList();
// The whole link-local range: AWS, Azure, GCP, OpenStack (.169.254), container credentials of ECS and EKS (.170.2, .170.23).
metadata.addSubnet('169.254.0.0', 16, 'ipv4');
metadata.addAddress('100.100.100.200', 'ipv4'); // Alibaba
metadata.addAddress('192.0.0.192', 'ipv4'); // Oracle
metadata.addSubnet('fe80::', 10, 'ipv6');
metadata.addSubnet('fd00:ec2::', 32, 'ipv6'); // AWS
metadata.addAddress('fd20:ce::254', 'ipv6'); // GCP
// The IPv4 addresses as a gateway to IPv4 would translate them (NAT64, 6to4). BlockList already covers mapped addresses,
// ::ffff:0:0/96.
metadata.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
metadata.addSubnet('2002:a9fe::', 32, 'ipv6');

/** Whether an IP address belongs to a cloud's metadata service. */
export function isMetadataAddress(address: string): boolean {
  const bare = address.split('%', 1)[0] ?? address;
  const family = isIP(bare);
  if (family === 0) return false;
  return metadata.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  readonly code = 'REFUSED_ADDRESS';
  constructor(host: string) {
    super(`${host} is a cloud metadata address and cannot be an operator`);
  }
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Errors of connections that were never established, including failed TLS handshakes. The error code alone is not enough,
 * because reads fail with the same codes.
 */
const neverConnected = new WeakSet<Error>();

/** Whether the connector below failed with this error. If so, no request was sent, because there was no connection. */
export function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && neverConnected.has(error);
}

/** A connector for undici that never dials a metadata address. `resolve` is the system's resolver, except in tests. */
export function guardedConnector(connectTimeoutMs: number, resolve: Resolve = lookup): buildConnector.connector {
  const checkedLookup = (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isMetadataAddress(address)))
        return callback(new RefusedAddress(hostname), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: checkedLookup as LookupFunction,
  });
  return (options, callback) => {
    // If the URL contains an address instead of a name, nothing is looked up. So the address is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const done: buildConnector.Callback = (...[error, socket]) => {
      if (error === null) return callback(null, withHonestResets(socket));
      neverConnected.add(error);
      callback(error, null);
    };
    if (isMetadataAddress(host)) done(new RefusedAddress(host), null);
    else connect(options, done);
  };
}

/**
 * undici treats a reset as the end of a body that ends with its connection, because macOS reports a reset after a complete body
 * (client-h1.js, onHttpSocketError). Half an answer would then be taken for a whole one, and a bonus would count as credited. undici checks
 * this one error code only. This listener runs before undici's own, which is added later.
 */
function withHonestResets<S extends EventEmitter>(socket: S): S {
  return socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'RESET_BY_OPERATOR';
  });
}
