import type { FieldError } from '@croupier/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Clock } from '../../clock.ts';
import { limitNetworks } from '../callers.ts';
import type { Endpoint, Parts } from './endpoint.ts';
import { type PartName, partReader } from './read-part.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The definition of the route. If absent, the route belongs to no API, and anyone may call it. */
    endpoint?: Endpoint;
  }
}

/** The functions by which an API serves each of its endpoints. */
export interface Serving<E extends Endpoint> {
  clock: Clock;
  /** Maximum body in bytes, if the endpoint sets no limit. */
  defaultBodyBytes: number;
  /** Creates the API's error for an invalid part of the call. */
  wrongPart(part: PartName, errors: readonly FieldError[]): Error;
  /** Creates the API's error for too many calls from one network. */
  tooMany(retryAfterSeconds: number): Error;
  /** Checks the caller before any of the body is read. Throws if the call is not allowed, or answers itself. */
  admit?(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  handle(parts: Parts<E>, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** The schema by which Fastify serializes the answer. */
  response?: FastifySchema['response'];
}

/** Registers the route of an endpoint: its limits, its caller, its parts, and its handler, checked in this order. */
export function register<const E extends Endpoint>(app: FastifyInstance, endpoint: E, serving: Serving<E>): void {
  const { clock, tooMany, admit, response } = serving;
  const { method, path: url, networkLimit: rate } = endpoint;
  const read = partsReader(endpoint, serving.wrongPart);
  const limit = rate && limitNetworks({ rate, now: clock, refuse: tooMany });
  app.route({
    method,
    url,
    config: { endpoint },
    ...(response !== undefined && { schema: { response } }),
    bodyLimit: bodyLimitOf(endpoint, serving.defaultBodyBytes),
    onRequest: async (request, reply) => {
      await limit?.onRequest(request, reply);
      return admit?.(request, reply);
    },
    handler: async (request, reply) => {
      const answer = await serving.handle(read(request), request, reply);
      if (rate?.counts === 'failures') limit?.forgive(request.ip);
      return answer;
    },
  });
}

/** Refuses at start every route of the API that was not created from a definition, so that no route is undocumented. */
export function requireDefinitions(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if ([method].flat().every((each) => each === 'OPTIONS')) return;
    const { endpoint } = config ?? {};
    if (endpoint === undefined) throw new Error(`${method} ${url} has no endpoint definition`);
    if (endpoint.tag === '' || endpoint.summary === '') throw new Error(`${method} ${url} has no documentation`);
  });
}

function partsReader<E extends Endpoint>(endpoint: E, wrongPart: Serving<E>['wrongPart']) {
  const readers = {
    params: partReader(endpoint.params, 'path'),
    query: partReader(endpoint.query, 'query'),
    // The bytes of a file are not validated: validation would clone them, and the clone of a Buffer is not a Buffer.
    body: endpoint.bodyTypes
      ? (given: unknown) => ({ ok: true, value: given }) as const
      : partReader(endpoint.body, 'body'),
  };
  const read = (reader: ReturnType<typeof partReader>, part: PartName, given: unknown): unknown => {
    const found = reader(given);
    if (found.ok) return found.value;
    throw wrongPart(part, found.errors);
  };
  return ({ params, query, body }: FastifyRequest): Parts<E> =>
    ({
      params: read(readers.params, 'path', params),
      query: read(readers.query, 'query', query),
      body: read(readers.body, 'body', body),
    }) as Parts<E>;
}

/** Limits how much unknown callers can make the server read and parse: routes open to them must set their limit. */
function bodyLimitOf({ method, path, may, body, bodyBytes }: Endpoint, defaultBytes: number): number {
  if (may === 'anyone' && body !== undefined && bodyBytes === undefined)
    throw new Error(`${method} ${path} requires no authentication and takes a body: set bodyBytes`);
  return bodyBytes ?? defaultBytes;
}
