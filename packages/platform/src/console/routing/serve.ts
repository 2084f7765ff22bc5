import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import type { Rate } from '../../http/allowance.ts';
import { limitNetworks } from '../../http/callers.ts';
import type { Access } from '../access/access.ts';
import {
  type AnswerOf,
  type BodyOf,
  defaultBodyBytes,
  type Endpoint,
  type HasBrand,
  type ParamsOf,
  type QueryOf,
} from './endpoint.ts';
import { partReader } from './read-part.ts';
import { Refused } from './refused.ts';

/** What a handler gets: the parts of the call as its endpoint defines them, checked, and who is calling. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The same as it came, for what must pass through untouched; empty without a body. */
  bodyText: string;
  /** The brand of the path; the guard has made sure that the caller may do this there. */
  brand: HasBrand<E> extends true ? Brand : null;
  access: E['may'] extends 'anyone' ? null : Access;
  /** Address of the caller, as far as the server trusts its proxies. */
  address: string;
  /** The session token or admin token of the call, for signing out. */
  token: string | null;
  /** Header Idempotency-Key: the caller's own name for this call, so that repeating it does nothing twice. */
  requestKey: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a JSON body; empty without one. */
    bodyText: string;
  }
  interface FastifyContextConfig {
    /** The definition behind a route of the console API: the guard reads it, the documentation test walks it. */
    endpoint?: Endpoint;
  }
}

/** Registers an endpoint. The handler returns its answer or throws `Refused`. */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<E>) => Promise<AnswerOf<E>>,
): void {
  const parts = {
    params: partReader(endpoint.params, 'path'),
    query: partReader(endpoint.query, 'query'),
    body: partReader(endpoint.body, 'body'),
  };
  const limit = endpoint.failuresPerNetwork && limitFailures(endpoint.failuresPerNetwork);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint, caller: endpoint.may === 'anyone' ? 'anyone' : 'account' },
    // A 204 has no body to shape.
    schema: endpoint.status === 204 ? {} : { response: { [endpoint.status]: endpoint.answer } },
    bodyLimit: bodyLimitOf(endpoint),
    ...(limit && { onRequest: limit.onRequest }),
    handler: async (request, reply) => {
      const call = {
        params: read(parts.params, request.params),
        query: read(parts.query, request.query),
        body: read(parts.body, request.body),
        bodyText: request.bodyText,
        brand: request.brand,
        access: request.access,
        address: request.ip,
        token: request.token,
        requestKey: requestKeyOf(request.headers['idempotency-key']),
      } as Call<E>;
      const answer = await handle(call);
      limit?.forgive(request.ip);
      if (endpoint.contentType !== undefined) reply.type(endpoint.contentType);
      return endpoint.status === 204 ? reply.code(204).send() : reply.code(endpoint.status).send(answer);
    },
  });
}

function limitFailures(rate: Rate) {
  return limitNetworks({
    rate,
    now: () => performance.now() * 1_000,
    refuse: (retryAfter) =>
      new Refused('too_many_requests', 'too many failed calls came from this network', { retryAfter }),
  });
}

/** Strangers cannot make the server read and parse much: what they may call says how much it needs. */
function bodyLimitOf({ method, path, may, body, bodyBytes }: Endpoint): number {
  if (may === 'anyone' && body !== undefined && bodyBytes === undefined)
    throw new Error(`${method} ${path} is open to everyone and takes a body: it needs bodyBytes`);
  return bodyBytes ?? defaultBodyBytes;
}

const longestRequestKey = 255;

function requestKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = String(header).trim();
  if (key !== '' && key.length <= longestRequestKey) return key;
  throw new Refused('invalid_request', `Idempotency-Key must have 1 to ${longestRequestKey} characters`);
}

function read(reader: ReturnType<typeof partReader>, given: unknown): unknown {
  const part = reader(given);
  if (!part.ok) {
    throw new Refused('invalid_request', part.errors.map((error) => error.message).join('; '), { errors: part.errors });
  }
  return part.value;
}
