import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/*
 * Resolves the name of a push service to its addresses. Names come from browsers, and an attacker who names a host may also run
 * its name server, which never answers. The system's own look-up (getaddrinfo) would then occupy one of the process's four
 * threads for half a minute, and cannot be cancelled. A few such names would block every other look-up and all file access. So
 * this code queries by UDP, which needs no thread, with its own timeout. Each query belongs to a call that has a slot
 * (hosts.ts), so at most 16 are open for hosts that have never answered.
 */

/**
 * Timeout per name server that the system lists; usually there is one. It is shorter than the connect timeout, so a query
 * ends with its call, or shortly after it.
 */
const answerMs = 1_500;

export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Resolves by DNS only: /etc/hosts is not read. Creates a new resolver each time, so that a changed list of name servers takes
 * effect.
 *
 * @throws if neither family has an address, or no server answers in time
 */
export async function resolvePublic(
  hostname: string,
  { servers, timeoutMs = answerMs }: { servers?: readonly string[]; timeoutMs?: number } = {},
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}

/**
 * Resolves as the system does, including names of the local network: for origins that an administrator allowed, which are few
 * and trusted.
 */
export const resolveNamed: ResolveHost = (hostname) => lookup(hostname, { all: true });
