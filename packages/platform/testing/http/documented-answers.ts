import type { Answer, Call } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../../src/http/endpoints/endpoint.ts';

/**
 * For tests of an API: a status, or a code of the site, that the document of the endpoint does not name, fails the test that brings it about. Register it
 * before the routes. What breaks inside (500) is documented nowhere.
 *
 * @param documented the call of the document that is made from the endpoint.
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
    if (answer === undefined) throw new Error(`${method} ${url} answers ${status}, and its endpoint does not say so`);
    const code = siteCodeOf(payload);
    if (code !== undefined && answer.samples?.[code] === undefined)
      throw new Error(`${method} ${url} answers ${code}, and its endpoint does not say so`);
  });
}

/** Of the envelope of the site API. */
function siteCodeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.startsWith('{"Data":null,"Success":false')) return undefined;
  return JSON.parse(payload).Errors[0]?.Error;
}
