import type { SiteErrorCode } from '@croupier/contracts';
import { siteErrors } from '@croupier/contracts';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { isDatabaseAway } from '../../database/index.ts';
import { answerUnknownPaths } from '../../http/unknown-paths.ts';
import type { SiteDeps } from './deps.ts';
import { failed, SiteRefusal } from './envelope.ts';

const retryAfterSeconds = 5;

/** Answers every error below /site/<brand> in the envelope, including errors that no handler sees. */
export function answerErrors(app: FastifyInstance, { log }: Pick<SiteDeps, 'log'>): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof SiteRefusal) return refuse(reply, error);
    if (isDatabaseAway(error)) return refuse(reply, new SiteRefusal('unavailable', { retryAfterSeconds }));
    const code = codeOf(error.statusCode ?? 500);
    // Logs the route, not the address, which may contain a credential.
    if (code === 'internal_error') log.error({ err: error, route: request.routeOptions.url }, 'a site API call failed');
    return refuse(reply, new SiteRefusal(code));
  });
  answerUnknownPaths(
    app,
    (_request, reply, allowed) =>
      refuse(reply, new SiteRefusal(allowed.length === 0 ? 'unknown_path' : 'method_not_allowed')),
    { alsoAllowed: ['OPTIONS'] },
  );
}

function refuse(reply: FastifyReply, { code, message, retryAfterSeconds }: SiteRefusal): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return reply.code(siteErrors[code].status).type('application/json; charset=utf-8').send(failed(code, message));
}

/** Codes for errors of Fastify itself. */
function codeOf(status: number): SiteErrorCode {
  switch (status) {
    case 404:
      return 'unknown_path';
    case 408:
      return 'request_timeout';
    case 413:
      return 'body_too_large';
    case 415:
      return 'unsupported_content_type';
    case 429:
      return 'too_many_requests';
    case 503:
      return 'unavailable';
    default:
      return status < 500 ? 'invalid_request' : 'internal_error';
  }
}
