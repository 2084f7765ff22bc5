import { isIP } from 'node:net';
import Type from 'typebox';

/*
 * Proxies in front of the platform whose X-Forwarded-For is trusted. The address of a caller determines the login
 * limits. Without this setting all callers behind a proxy share the proxy's address, and one attacker who guesses
 * passwords slows down the sign-in of all of them. If every sender were trusted, the attacker could forge a new address for each
 * guess.
 *
 * Only addresses are accepted, not a number of hops. A number does not identify the last hop, so a caller who reaches
 * the port directly would be trusted. For the same reason Fastify 5 accepts a number but then trusts no proxy.
 */
const Network = Type.Refine(
  Type.String(),
  isNetwork,
  (text) => `must be an address or a CIDR block such as 127.0.0.1 or 10.0.0.0/8, not ${text}`,
);

export const trustedProxies = Type.Array(Network, {
  default: [],
  description:
    'Addresses or CIDR blocks of your reverse proxies. Their X-Forwarded-For header is trusted. Set this behind a proxy: otherwise all callers share one limit on failed logins and on wrong sessions of players. Do not list addresses from which others can call.',
});

/** A prefix of 0 would trust every address. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}
