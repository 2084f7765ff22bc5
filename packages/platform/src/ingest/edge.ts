import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Endpoint, endpoints, type FieldError } from '@croupier/contracts';
import type { Brand } from '../brands/index.ts';
import { sendJson, sendProblem } from '../http/answer.ts';
import { boundUnreadBody } from '../http/unread-bodies.ts';
import { keyOf } from './authenticate.ts';
import { type ReceiveDeps, receive, type Verdict } from './receive.ts';
import type { RefusedCall } from './refused-calls.ts';

/*
 * The HTTP edge of the event endpoints, directly on node:http.
 *
 * docs/decisions/0202-lean-ingest-edge.md explains with measurements why it is not a Fastify route like all others. Fastify would do little
 * here: the paths are a fixed table, and bodies have one format. This file does all of it.
 *
 *   path -> method -> key -> content type -> size -> body -> receive -> answer
 */

export interface EdgeDeps extends ReceiveDeps {
  /** The brand of a key; undefined if the key is unknown or revoked. */
  brandOf: (key: string) => Brand | undefined;
  /**
   * The maximum body size in bytes. docs/reference/interface.md sets no limit; docs/reference/decisions.md 1 sets 1
   * MiB.
   */
  bodyLimit: number;
  onAnswer: (kind: Endpoint['kind'] | 'unknown', status: number) => void;
  /** Called for each call that is refused before it is validated. */
  onRefused: (call: RefusedCall) => void;
}

/**
 * A body over the limit is read and discarded up to this multiple of the limit, so that the caller can read the 413.
 */
const drainLimitFactor = 16;

const endpointsByPath = new Map<string, Map<string, Endpoint>>();
for (const endpoint of endpoints) {
  const methods = endpointsByPath.get(endpoint.path) ?? new Map<string, Endpoint>();
  endpointsByPath.set(endpoint.path, methods.set(endpoint.method, endpoint));
}

const integrationPath = /^\/v\d+\/integration(\/|$)/;
const jsonType = /^application\/([\w.+-]+\+)?json *(;|$)/i;

/**
 * Handles a request below /v1/integration and /v2/integration and returns true. Leaves any other request to the next
 * handler.
 */
export function createIngestEdge(deps: EdgeDeps): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const methods = endpointsByPath.get(path);
    if (methods === undefined) {
      if (!integrationPath.test(path)) return false;
      deps.onAnswer('unknown', 404);
      deps.onRefused({ reason: 'wrong_path', kind: null, key: keyOf(request.headers) });
      refuse(request, response, 'not_found', {
        detail: `The endpoint ${path} does not exist; /docs lists all endpoints.`,
      });
      return true;
    }
    const endpoint = methods.get(request.method ?? '');
    if (endpoint === undefined) {
      deps.onAnswer('unknown', 405);
      deps.onRefused({ reason: 'wrong_method', kind: null, key: keyOf(request.headers) });
      const allow = [...methods.keys()].join(', ');
      refuse(request, response, 'method_not_allowed', { detail: `${path} allows ${allow}.` }, { allow });
      return true;
    }
    handle(deps, endpoint, request, response);
    return true;
  };
}

function handle(deps: EdgeDeps, endpoint: Endpoint, request: IncomingMessage, response: ServerResponse): void {
  const finish = (status: number) => deps.onAnswer(endpoint.kind, status);
  const key = keyOf(request.headers);
  const finishRefused = (status: number, reason: RefusedCall['reason']) => {
    finish(status);
    deps.onRefused({ reason, kind: endpoint.kind, key });
  };
  const brand = key === undefined ? undefined : deps.brandOf(key);
  if (brand === undefined) {
    finishRefused(401, key === undefined ? 'no_key' : 'unknown_key');
    const detail =
      key === undefined
        ? 'The call has no API key; send it in the header X-API-Key.'
        : 'The API key is unknown or was revoked; create one in the console, on the page Integration > API keys.';
    refuse(request, response, 'unauthorized', { detail }, { 'www-authenticate': 'Bearer' });
    return;
  }
  const contentType = request.headers['content-type'];
  if (contentType !== undefined && !jsonType.test(contentType)) {
    finishRefused(415, 'wrong_content_type');
    refuse(request, response, 'unsupported_content_type', {
      detail: `The content type is ${contentType}; send application/json, or none.`,
    });
    return;
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    finishRefused(415, 'compressed_body');
    refuse(request, response, 'unsupported_content_type', {
      detail: `The content encoding is ${encoding}; send the body without compression.`,
    });
    return;
  }
  readBody(request, deps.bodyLimit, (body) => {
    if (body === undefined) {
      finishRefused(413, 'body_too_large');
      const detail = `The body is larger than ${deps.bodyLimit} bytes.`;
      sendProblem(response, 'body_too_large', { detail }, { connection: 'close' });
      return;
    }
    receive(deps, brand, endpoint.kind, body, (verdict) => finish(answer(response, verdict)));
  });
}

const okBody = '{"status":"ok"}';
const quarantinedBody = '{"status":"quarantined"}';

/** Sends the answer and returns its status. */
function answer(response: ServerResponse, verdict: Verdict): number {
  switch (verdict.outcome) {
    case 'accepted':
      return sendJson(response, 200, okBody);
    case 'quarantined':
      return sendJson(response, 200, quarantinedBody);
    case 'refused':
      return sendProblem(response, isUnreadable(verdict.errors) ? 'malformed_json' : 'invalid_event', {
        errors: verdict.errors,
      });
    case 'away':
      return sendProblem(
        response,
        'store_unavailable',
        { detail: 'The event might not have been stored. Retry it.' },
        { 'retry-after': '1' },
      );
    case 'full':
      return sendProblem(
        response,
        'queue_full',
        { detail: 'Too many events are waiting to be stored. Retry this one.' },
        { 'retry-after': '1' },
      );
    default:
      return verdict satisfies never;
  }
}

/** True if the body is not a JSON object at all, as opposed to one with wrong fields. */
function isUnreadable(errors: readonly FieldError[]): boolean {
  return errors.every((error) => error.path === '' && error.rule !== 'object');
}

/** Refuses a call without reading its body first. Discards the rest of the body as it arrives. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  ...problem: DropFirst<Parameters<typeof sendProblem>>
): void {
  boundUnreadBody(request, response);
  request.resume();
  sendProblem(response, ...problem);
}
type DropFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Calls `done` once: with the whole body, or with undefined if it exceeds the limit. */
function readBody(request: IncomingMessage, limit: number, done: (body: Buffer | undefined) => void): void {
  let size = 0;
  let chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      chunks = [];
      if (size > limit * drainLimitFactor) request.destroy();
    }
  });
  request.on('end', () => {
    if (size > limit) done(undefined);
    // Most bodies arrive in one piece, which is then used without a copy.
    else done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
}
