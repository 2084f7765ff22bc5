import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';

/** Who takes over connections that stop speaking HTTP: the sockets of the site. */
export interface Upgrades {
  /** Paths of theirs begin with it: '/app/'. */
  readonly pathPrefix: string;
  /** Takes the connection, or ends it. `address` is the caller's, proxies that we trust left out. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
  /** Called when the port takes no more connections: ends those there are, and whatever still arrives on kept ones. */
  drain(): Promise<void>;
}

/**
 * Whether a request is for them. All others are answered as if they had not asked to upgrade: curl and the HTTP client of Java
 * send `Upgrade: h2c` with plain calls, and with a mere listener Node would take every such call out of HTTP.
 */
export function wantsUpgrade(upgrades: Upgrades, { url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(upgrades.pathPrefix);
}

/** The address of the caller, by the same rule as Fastify's `request.ip`. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trusts);
}
