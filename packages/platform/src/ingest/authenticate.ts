import type { IncomingHttpHeaders } from 'node:http';

/**
 * The key of a call to the integration API: header `X-API-Key: <key>` or `Authorization: Bearer <key>` (docs/reference/decisions.md 1).
 * Undefined when neither is there. Which brand it belongs to, if any, is for the registry of brands to say.
 */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  const authorization = headers.authorization;
  if (authorization === undefined) return undefined;
  const bearer = /^bearer +(\S+) *$/i.exec(authorization);
  return bearer?.[1];
}
