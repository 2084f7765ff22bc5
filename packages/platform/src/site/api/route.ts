import type { Validator } from '@croupier/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import type { Rate } from '../../http/allowance.ts';
import { limitNetworks } from '../../http/callers.ts';
import type { Caller } from '../session/caller.ts';
import type { SiteDeps } from './deps.ts';
import { answered, SiteRefusal } from './envelope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of calls below /site/<brand>: the brand of the path. Null elsewhere. */
    siteBrand: Brand | null;
  }
  interface FastifyContextConfig {
    /** The endpoint also takes application/x-www-form-urlencoded, as an object of texts. */
    takesForms?: boolean;
  }
}

/** An endpoint of a signed-in player. */
export interface SignedInEndpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below /site/<brand>, in Fastify's spelling: '/Notifications/v2/user-notification/:ID'. */
  path: string;
  /** @returns the Data of the answer. @throws {SiteRefusal} */
  handler(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** The credential may also stand in the query, as Pusher libraries send it (docs/reference/decisions.md 8). Default: headers only, as addresses end in logs. */
  alsoInQuery?: boolean;
  takesForms?: boolean;
  /** What the handler answers is the whole body: of channel authorisation, whose form is Pusher's. */
  withoutEnvelope?: boolean;
  /** Bytes; default 64 KiB. */
  bodyLimit?: number;
}

/** Registers an endpoint that only a player with a valid session reaches. */
export function signedIn(app: FastifyInstance, deps: SiteDeps, endpoint: SignedInEndpoint): void {
  const { method, path: url, handler, alsoInQuery = false, takesForms = false, withoutEnvelope = false } = endpoint;
  app.route({
    method,
    url,
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    config: { takesForms, caller: 'player' },
    // Before the body is read: who may not call has no body of his parsed.
    onRequest: async (request) => {
      request.siteCaller = await callerOf(deps, request, alsoInQuery);
    },
    handler: async (request, reply) => {
      const caller = request.siteCaller;
      if (caller === null) throw new SiteRefusal('missing_session');
      const data = await handler(caller, request, reply);
      return withoutEnvelope ? data : answered(data ?? null);
    },
  });
}

/** Registers an endpoint that is called without a session: what it may do stands in a signed token of its body. */
export function withToken(
  app: FastifyInstance,
  { clock }: Pick<SiteDeps, 'clock'>,
  endpoint: Pick<SignedInEndpoint, 'method' | 'path'> & {
    /** Bytes. */
    bodyLimit: number;
    /** Calls of one network. */
    rate: Rate;
    handler(request: FastifyRequest): Promise<unknown>;
  },
): void {
  const { method, path: url, bodyLimit, rate, handler } = endpoint;
  const refuse = (retryAfterSeconds: number) => new SiteRefusal('too_many_requests', { retryAfterSeconds });
  const { onRequest } = limitNetworks({ rate, now: clock, refuse });
  app.route({
    method,
    url,
    bodyLimit,
    config: { caller: 'anyone' },
    onRequest,
    handler: async (request) => answered((await handler(request)) ?? null),
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    siteCaller: Caller | null;
  }
}

async function callerOf(deps: SiteDeps, request: FastifyRequest, alsoInQuery: boolean): Promise<Caller> {
  const brand = brandOf(request);
  const admission = await deps.sessions.admit(brand, credentialOf(request, alsoInQuery), request.ip);
  if (admission.caller !== undefined) return admission.caller;
  const { refused, retry_after_s: retryAfterSeconds } = admission;
  throw new SiteRefusal(refused, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** The header authtoken, or sid, or, where the endpoint allows it, the query's authToken. */
export function credentialOf(request: FastifyRequest, alsoInQuery = false): string | undefined {
  const { authtoken, sid } = request.headers;
  const { authToken } = alsoInQuery ? (request.query as Record<string, unknown>) : {};
  return [authtoken, sid, authToken].find((one): one is string => typeof one === 'string' && one !== '');
}

export function brandOf(request: FastifyRequest): Brand {
  if (request.siteBrand === null) throw new SiteRefusal('unknown_brand');
  return request.siteBrand;
}

/** The fields of a JSON object, or of a form. @throws {SiteRefusal} when the body is anything else. */
export function fieldsOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SiteRefusal('invalid_request', { message: 'The body must be a JSON object.' });
  return body as Record<string, unknown>;
}

/** The body as its schema has it. @throws {SiteRefusal} that says what is wrong first. */
export function bodyOf<T>(request: FastifyRequest, { accepts, errors }: Validator<T>): T {
  const body: unknown = fieldsOf(request);
  if (accepts(body)) return body;
  const [first] = errors(body);
  throw new SiteRefusal('invalid_request', first === undefined ? {} : { message: first.message });
}
