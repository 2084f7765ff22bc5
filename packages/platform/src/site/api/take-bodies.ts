import { parseBody } from '@croupier/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SiteEndpoint } from './endpoint.ts';
import { SiteRefusal } from './envelope.ts';

/**
 * Parses JSON with any content type. A missing content type means JSON (docs/reference/decisions.md 8). If a page sends a text
 * and sets no content type, the browser declares text/plain. Only endpoints that allow forms accept them.
 */
export function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, text: string | Buffer) =>
    read(request, text.toString()),
  );
}

function read(request: FastifyRequest, text: string): unknown {
  if (text === '') return undefined;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const { takesForms } = (request.routeOptions.config.endpoint ?? {}) as Partial<SiteEndpoint>;
  if (type === 'application/x-www-form-urlencoded' && takesForms === true)
    return Object.fromEntries(new URLSearchParams(text));
  if (!isJson(type)) throw new SiteRefusal('unsupported_content_type');
  const parsing = parseBody(text);
  if (!parsing.ok) throw new SiteRefusal('malformed_json', { message: parsing.error.message });
  return parsing.body;
}

function isJson(type: string): boolean {
  return (
    ['', 'application/json', 'text/plain', 'text/json'].includes(type) || /^application\/[\w.-]+\+json$/.test(type)
  );
}
