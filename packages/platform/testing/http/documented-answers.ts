import type { Answer, Call } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../../src/http/endpoints/endpoint.ts';

/**
 * For tests of an API: a test fails if it gets a status, or a code of the site, that the endpoint's document does not contain.
 * Register it before the routes. Internal errors (500) are never documented.
 *
 * @param documented the documented call generated from the endpoint
 */
export function failUndocumented<E extends Endpoint>(app: FastifyInstance, documented: (endpoint: E) => Call): void {
  const known = new Map<Endpoint, Call>();
  const answerOf = (endpoint: Endpoint, status: number): Answer | undefined => {
    const call = known.get(endpoint) ?? documented(endpoint as E);
    known.set(endpoint, call);
    return call.answers.find((answer) => answer.status === status);
  };
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url, config } = request.routeOptions;
    const { statusCode: status } = reply;
    if (config.endpoint === undefined || status === 500) return;
    const answer = answerOf(config.endpoint, status);
    if (answer === undefined)
      throw new Error(`${method} ${url} answers ${status}, which its endpoint does not document`);
    const code = siteCodeOf(payload);
    if (code !== undefined && answer.samples?.[code] === undefined)
      throw new Error(`${method} ${url} answers ${code}, which its endpoint does not document`);
  });
}

/** The code in the envelope of the site API. */
function siteCodeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.startsWith('{"Data":null,"Success":false')) return undefined;
  return JSON.parse(payload).Errors[0]?.Error;
}
