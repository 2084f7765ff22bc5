import type { IncomingHttpHeaders } from 'node:http';

/**
 * The key of a call to the integration API: header `X-API-Key: <key>` or `Authorization: Bearer <key>`
 * (docs/reference/decisions.md 1). Undefined if the call has neither. The registry of brands finds the brand that it
 * belongs to, if any.
 */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  const authorization = headers.authorization;
  if (authorization === undefined) return undefined;
  const bearer = /^bearer +(\S+) *$/i.exec(authorization);
  return bearer?.[1];
}
