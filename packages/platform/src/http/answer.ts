import type { ServerResponse } from 'node:http';
import { type FieldError, type ProblemCode, problem } from '@croupier/contracts';

/*
 * Writes answers directly on node:http, for paths that do not go through Fastify. Each function returns the status that it
 * sent. Bodies are strings, not buffers, because node:http then writes head and body in one piece.
 */

export function sendJson(response: ServerResponse, status: number, body: string): number {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
  return status;
}

/** An RFC 9457 problem from the registry in contracts. */
export function sendProblem(
  response: ServerResponse,
  code: ProblemCode,
  extra: { detail?: string; errors?: FieldError[] } = {},
  headers: Record<string, string> = {},
): number {
  const answer = problem(code, extra);
  const body = JSON.stringify(answer);
  response.writeHead(answer.status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
  return answer.status;
}
