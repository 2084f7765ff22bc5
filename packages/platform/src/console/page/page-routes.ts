import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';

/** Every address below this path returns the console's page. The router of the page selects the view. */
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

/*
 * Two pages that the console embeds in frames to preview messages. Each has its own policy, because the console's policy refuses the
 * inline styles of e-mails. Neither runs scripts of an author.
 *
 *   mail   An empty page, into which the console writes a document. Its sandbox allows no scripts.
 *   site   Runs the brand's browser script, which shows demo messages. Its sandbox does not have the console's origin, so it cannot
 *          use the session.
 */
const framePath = `${consolePath}/frames`;
const ofFrames = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const mailPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:; sandbox allow-same-origin; ${ofFrames}`;
const sitePolicy = `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: https:; sandbox allow-scripts; ${ofFrames}`;
const mailFrame =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>E-mail</title></head><body></body></html>';
const siteFrame = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><script src="${framePath}/site.js" defer></script></head><body></body></html>`;
/** The file name of the script of the frame `site`, in the folder of the build. */
const siteFrameScript = 'site-frame.js';

/** Shown until the build is finished. */
const building = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Croupier</title></head>
<body><p>The console is being built. This page reloads automatically.</p></body></html>
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
    const frame = (reply: FastifyReply, policy: string, text: string) =>
      reply
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(text);
    app.get(`${framePath}/mail`, (_request, reply) => frame(reply, mailPolicy, mailFrame));
    app.get(`${framePath}/site`, (_request, reply) => frame(reply, sitePolicy, siteFrame));
    app.get(`${framePath}/site.js`, async (_request, reply) => {
      const text = await readFile(join(folder, siteFrameScript), 'utf8').catch(() => undefined);
      if (text === undefined) return reply.code(503).header('retry-after', '2').send();
      // The frame has an opaque origin, so every address counts as cross-origin.
      return reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'no-store')
        .type('text/javascript; charset=utf-8')
        .send(text);
    });
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
