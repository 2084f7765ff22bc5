import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/*
 * From the name of a push service to its addresses. Names come from browsers, and the one who names a host may also run its name server,
 * which answers never. The system's own look-up (getaddrinfo) would then hold one of the process's four threads for half a minute, and
 * cannot be called off: a few such names, and no name at all is looked up, no file read. So the questions are asked by UDP, on no thread,
 * and end by themselves. Each belongs to a call that has a slot (host-slots.ts), so at most 16 are open for hosts that have never answered.
 */

/** Per name server that the system lists; usually there is one. Less than the time for connecting, so nothing outlives its call for long. */
const answerMs = 1_500;

export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Addresses by DNS alone: /etc/hosts is not read. A new resolver each time, so that a changed list of name servers is heeded.
 *
 * @throws when neither family has an address, or nobody answers in time.
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

/** As the system does it, names of the local network included: of origins that an administrator named, who are few and trusted. */
export const resolveNamed: ResolveHost = (hostname) => lookup(hostname, { all: true });
