import { isIP } from 'node:net';
import Type from 'typebox';

/*
 * Proxies in front of us whose X-Forwarded-For is believed. The address of a caller decides about limits on logins:
 * without the proxies named here all callers behind one share the proxy's address, and one stranger who guesses passwords
 * locks everybody out; with anybody believed, the stranger names a new address with each guess.
 *
 * Addresses only, no number of hops: a number says nothing of who the last hop is, so whoever reaches the port past the
 * proxy would be believed. Fastify 5 takes a number and then believes nobody, for the same reason.
 */
const Network = Type.Refine(
  Type.String(),
  isNetwork,
  (text) => `must be an address or a CIDR block such as 127.0.0.1 or 10.0.0.0/8, not ${text}`,
);

export const trustedProxies = Type.Array(Network, {
  default: [],
  description:
    'Addresses or CIDR blocks of the reverse proxies in front, whose X-Forwarded-For is believed. Bites behind a proxy: without it all callers share one limit on failed logins and on wrong sessions of players. Name no address that others can call from.',
});

/** A prefix of 0 would believe everybody. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}
