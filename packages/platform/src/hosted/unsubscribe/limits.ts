import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Visit } from './visit.ts';

/*
 * How often a link may be called, per minute and api process.
 *
 * By address: somebody who tries tokens, or a scanner that went wrong. A press with a good link is not counted here: mail
 * providers send the one-click calls of all their users from a few addresses, and a withdrawal must not be turned away because of
 * its neighbours. By link: nobody needs the page of one player more often.
 */
const windowMs = 60_000;
const mostPerAddress = 300;
const mostPerLink = 30;
/** Addresses, and links, that are remembered; beyond it those not seen for longest are forgotten. */
const mostRemembered = 10_000;

/** Answers null when the call may go on, else the seconds after which to come back. */
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
