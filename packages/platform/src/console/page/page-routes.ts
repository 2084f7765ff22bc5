import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';

/** Every address below it returns the console's page, which routes by itself. */
export const consolePath = '/console';

/** The element of index.html that gets the nonce of the answer, which allows the page's own styles. */
const nonceMark = '__nonce__';
const nonceBytes = 16;
/** Assets are named by their content, so they can be cached for a year. */
const assetSeconds = 365 * 24 * 3600;

/**
 * Nothing is loaded from other hosts, no inline script runs, and no site can frame the page. Styles need the nonce of the
 * answer. Images may come from any host over TLS, because messages show those of the operator's site.
 */
const policyOf = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: https:; font-src 'self'; ` +
  "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Shown until the build is finished. */
const building = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Croupier</title></head>
<body><p>The console is being built. This page reloads by itself.</p></body></html>
`;

/** Serves the built page of the console from a folder. While the build is missing, every call looks for it again. */
export function consolePage({ folder }: { folder: string }): FastifyPluginAsync {
  return async (app) => {
    const assets = join(folder, 'assets');
    mkdirSync(assets, { recursive: true });
    const page = async (reply: FastifyReply) => {
      const nonce = randomBytes(nonceBytes).toString('base64url');
      const text = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
      reply
        .header('content-security-policy', policyOf(nonce))
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8');
      if (text === undefined) return reply.code(503).header('retry-after', '2').send(building);
      return reply.send(text.replaceAll(nonceMark, nonce));
    };
    app.get('/', (_request, reply) => reply.redirect(consolePath));
    app.get(consolePath, (_request, reply) => page(reply));
    app.get(`${consolePath}/*`, (_request, reply) => page(reply));
    await app.register(fastifyStatic, {
      root: assets,
      prefix: `${consolePath}/assets/`,
      decorateReply: false,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: assetSeconds * 1_000,
    });
  };
}
