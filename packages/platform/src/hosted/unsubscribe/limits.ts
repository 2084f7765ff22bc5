import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Visit } from './visit.ts';

/*
 * How often a link may be called, per minute and api process.
 *
 * The limit per address stops callers that guess tokens, and faulty scanners. A press with a valid link does not count here,
 * because mail providers send the one-click calls of all their users from a few addresses, and other calls from there must not
 * block a withdrawal. The limit per link is higher than any person needs for the page of one player.
 */
const windowMs = 60_000;
const mostPerAddress = 300;
const mostPerLink = 30;
/** Maximum number of addresses, and of links, in memory. Above it, the least recently seen ones are dropped. */
const mostRemembered = 10_000;

/** Returns null if the call is allowed, otherwise the seconds after which to retry. */
export type Limits = (request: FastifyRequest, visit: Visit) => Promise<number | null>;

export async function limitsOf(app: FastifyInstance): Promise<Limits> {
  await app.register(rateLimit, { global: false, cache: mostRemembered });
  const limit = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: windowMs, keyGenerator });
  const byAddress = limit(mostPerAddress, (request) => request.ip);
  const byLink = limit(mostPerLink, (request) => (request.params as { token: string }).token);
  return async (request, { holder }) => {
    const press = request.method === 'POST' && holder !== null;
    const checks = [...(press ? [] : [byAddress]), ...(holder === null ? [] : [byLink])];
    for (const check of checks) {
      const verdict = await check(request);
      if (!verdict.isAllowed && verdict.isExceeded) return verdict.ttlInSeconds;
    }
    return null;
  };
}
