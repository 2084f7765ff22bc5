import type { Config } from '../config/index.ts';

const everyAddress = [undefined, '0.0.0.0', '::'];

/** The address at which this machine reaches the HTTP server: `loopback`, unless it listens on one address only. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>, loopback: string): string {
  const name = everyAddress.includes(host) ? loopback : (host ?? loopback);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
