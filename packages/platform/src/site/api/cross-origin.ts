import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isListedOrigin } from './listed-origin.ts';

/*
 * CORS: which pages may call (setting site_origins, docs/reference/decisions.md 8). The session is sent in a header, never in a
 * cookie, so there are no credentials to allow; the list only decides whose scripts may read the answers.
 *
 * Every answer has the header, including refusals: a script that may not read a 401 sees a network failure instead.
 */
export const preflightSeconds = 600;
const methods = 'GET, POST, DELETE';
const headers = 'authtoken, sid, content-type';

export function crossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => allow(request, reply));
  // Also for a path that does not exist: the browser must show its 404, not a CORS failure.
  app.options('/*', (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', headers)
      .header('access-control-max-age', preflightSeconds)
      .send(),
  );
}

function allow(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isListed(request, origin)) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', 'date, retry-after');
}

/** Pages of every origin may read that a brand does not exist. */
function isListed({ siteBrand }: FastifyRequest, origin: string): boolean {
  return siteBrand === null || isListedOrigin(origin, siteBrand);
}
