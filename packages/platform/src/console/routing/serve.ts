import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import type { AnswerOf, Parts } from '../../http/endpoints/endpoint.ts';
import { register } from '../../http/endpoints/register.ts';
import { type Language, languageOf } from '../../language.ts';
import type { Access } from '../access/access.ts';
import { keepInCookie } from '../accounts/session-cookie.ts';
import { defaultBodyBytes, type Endpoint, type HasBrand } from './endpoint.ts';
import { Refused } from './refused.ts';
import { wrongFields } from './wrong-fields.ts';

/** The argument of a handler: the validated parts of the call as defined by its endpoint, and the caller. */
export interface Call<E extends Endpoint> extends Parts<E> {
  /** The body text as received, for content that must stay unchanged. Empty without a body. */
  bodyText: string;
  /** The brand of the path; the guard has checked the caller's permission for it. */
  brand: HasBrand<E> extends true ? Brand : null;
  access: E['may'] extends 'anyone' ? null : Access;
  /** Address of the caller, as far as the server trusts its proxies. */
  address: string;
  /** Header User-Agent. */
  userAgent: string | undefined;
  /** The session token or admin token of the call, for signing out. */
  token: string | null;
  /** Stores a session in a cookie of the caller's browser for the given number of seconds; 0 deletes it. */
  keepSession(session: { token: string; seconds: number }): void;
  /** Header Idempotency-Key: the caller's own name for this call, so that repeating it has no second effect. */
  requestKey: string | null;
  /** The language of texts that the platform writes for people (header Accept-Language). */
  language: Language;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of a JSON body. Empty without one. */
    bodyText: string;
  }
}

/** Registers an endpoint. The handler returns its answer or throws `Refused`. */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<E>) => Promise<AnswerOf<E>>,
): void {
  register(app, endpoint, {
    clock: () => performance.now() * 1_000,
    defaultBodyBytes,
    // A 204 has no body to serialize.
    ...(endpoint.status !== 204 && { response: { [endpoint.status]: endpoint.answer } }),
    wrongPart: (_part, errors) => wrongFields(errors),
    tooMany: (retryAfter) =>
      new Refused(
        'too_many_requests',
        { en: 'too many failed calls from this network', de: 'Zu viele fehlgeschlagene Aufrufe aus diesem Netz' },
        { retryAfter },
      ),
    handle: async (parts, request, reply) => {
      const { brand, access, bodyText, ip: address, token } = request;
      const requestKey = requestKeyOf(request.headers['idempotency-key']);
      const keepSession = (session: { token: string; seconds: number }) => keepInCookie(reply, session);
      const userAgent = request.headers['user-agent'];
      const language = languageOf(request.headers['accept-language']);
      const call = { ...parts, brand, access, bodyText, address, userAgent, token, keepSession, requestKey, language };
      const answer = await handle(call as unknown as Call<E>);
      if (endpoint.contentType !== undefined) reply.type(endpoint.contentType);
      return endpoint.status === 204 ? reply.code(204).send() : reply.code(endpoint.status).send(answer);
    },
  });
}

const longestRequestKey = 255;

function requestKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = String(header).trim();
  if (key !== '' && key.length <= longestRequestKey) return key;
  throw new Refused('invalid_request', {
    en: `Idempotency-Key must have 1 to ${longestRequestKey} characters`,
    de: `Idempotency-Key muss 1 bis ${longestRequestKey} Zeichen haben`,
  });
}
