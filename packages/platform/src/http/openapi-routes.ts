import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { type ApiDocument, addressOf, docsPage } from './docs/page.ts';

/**
 * The Swagger UI files inside @fastify/swagger-ui. The package swagger-ui-dist has the same files, but its installation runs a
 * script that reports to a third party. The plugin around them is not used either: it serves one document, generated from
 * Fastify's route schemas, while ours are built by contracts.
 */
const swaggerFiles = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');

/**
 * Everything is loaded from this server, and no inline script runs. `data:` images are Swagger UI's arrows; its schema view
 * needs inline styles. No upgrade-insecure-requests, because a laptop serves plain HTTP.
 */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export type { ApiDocument } from './docs/page.ts';

/** Our own files, in addition to Swagger UI's. */
const ownFiles = [
  { name: 'page.css', type: 'text/css; charset=utf-8' },
  { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { name: 'icon.svg', type: 'image/svg+xml' },
].map((file) => ({ ...file, bytes: readFileSync(join(import.meta.dirname, 'docs', file.name)) }));

/** Serves the API documents, and a page to read and try them. Open to everyone: they contain no data of a brand. */
export function openApiRoutes(documents: readonly ApiDocument[]): FastifyPluginAsync {
  return async (app) => {
    for (const { name, document } of documents) {
      // Built once, as bytes: a document changes only with the code, and anyone may request it any number of times.
      const body = Buffer.from(JSON.stringify(document()));
      app.get(addressOf(name), (_request, reply) => reply.type('application/json').send(body));
    }
    const page = docsPage(documents);
    await app.register(async (docs) => {
      docs.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', docsPolicy);
      });
      docs.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
      for (const { name, type, bytes } of ownFiles) {
        docs.get(`/docs/${name}`, (_request, reply) => reply.type(type).send(bytes));
      }
      await docs.register(fastifyStatic, {
        root: swaggerFiles,
        prefix: '/docs/assets/',
        decorateReply: false,
        index: false,
      });
    });
  };
}
