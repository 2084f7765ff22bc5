import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';

/** Handles connections that switch from HTTP to WebSocket: the sockets of the site. */
export interface Upgrades {
  /** The prefix of their paths: '/app/'. */
  readonly pathPrefix: string;
  /** Accepts or ends the connection. `address` is that of the caller, not of a trusted proxy. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
  /** Called when the port accepts no more connections: ends the existing ones, and any that arrive on kept-alive connections. */
  drain(): Promise<void>;
}

/**
 * Whether a request is a WebSocket handshake for these paths. All other requests are answered as if they had not asked to
 * upgrade, because curl and Java's HTTP client send `Upgrade: h2c` with ordinary calls. A listener for all upgrades would
 * make Node take every such call out of HTTP.
 */
export function wantsUpgrade(upgrades: Upgrades, { url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(upgrades.pathPrefix);
}

/** The address of the caller, by the same rule as Fastify's `request.ip`. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trusts);
}
