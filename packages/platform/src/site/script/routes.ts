import { defaultNames } from '@croupier/browser';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { BrandRegistry } from '../../brands/index.ts';
import { encodingFor, etagOf, isKnown, type ScriptFile } from './script-file.ts';
import { Scripts } from './scripts.ts';

/*
 * The browser script and its files (docs/reference/interface.md, Endpoints D, docs/reference/decisions.md 8):
 *
 *   /loader/crm.js                  the loader with the interface's names, for all brands
 *   /loader/<brand>/<name>.js       the loader with the brand's names (setting site_script)
 *   /loader/staging/crm.js, /loader/staging/<brand>/<name>.js
 *                                   the same two for staging, which they recognize by this path
 *   /loader/staging/<brand>.json    the address of the brand's staging installation (setting staging_url)
 *   /loader/app-<hash>.js           the app, which the loader fetches
 *   /loader/push-worker.js          for the service worker of the site
 *
 * Browsers fetch loaders again after a few minutes, so a fix spreads quickly. The app is named by its content and cached
 * forever. If a cached loader of an earlier version requests an app that no longer exists, it gets the current one, which is then
 * cached only briefly.
 */
const forEver = 'public, max-age=31536000, immutable';
const aMoment = 'public, max-age=60';
const someMinutes = 'public, max-age=300, stale-while-revalidate=600';
export const loaderPath = '/loader';

export function scriptRoutes({ brands }: { brands: Pick<BrandRegistry, 'byCode'> }): FastifyPluginAsync {
  return async (server) => {
    const scripts = new Scripts();
    await server.register(
      async (app) => {
        const byDefaultNames = async (request: FastifyRequest, reply: FastifyReply) =>
          send(request, reply, await scripts.loader(), someMinutes);
        app.get('/crm.js', byDefaultNames);
        app.get('/staging/crm.js', byDefaultNames);

        app.get('/push-worker.js', async (request, reply) =>
          send(request, reply, await scripts.pushWorker(), someMinutes),
        );

        app.get('/:file(^app-[A-Za-z0-9]{1,64}\\.js$)', async (request, reply) => {
          const { file } = request.params as { file: string };
          const isPresent = file === (await scripts.appFile());
          return send(request, reply, await scripts.app(), isPresent ? forEver : aMoment);
        });

        app.get('/staging/:brand.json', (request, reply) => {
          const brand = brands.byCode((request.params as { brand: string }).brand);
          if (brand === undefined) return reply.callNotFound();
          const { staging_url } = brand.settings;
          return forAnyPage(reply).header('cache-control', someMinutes).send({ staging_url });
        });

        const byOwnNames = async (request: FastifyRequest, reply: FastifyReply) => {
          const { brand: code, file } = request.params as { brand: string; file: string };
          const names = brands.byCode(code)?.settings.site_script;
          const isThere = names !== undefined && [names.file_name, defaultNames.file_name].includes(file.slice(0, -3));
          if (!isThere || !file.endsWith('.js')) return reply.callNotFound();
          return send(request, reply, await scripts.loader(names), someMinutes);
        };
        app.get('/:brand/:file', byOwnNames);
        app.get('/staging/:brand/:file', byOwnNames);
      },
      { prefix: loaderPath },
    );
  };
}

function send(request: FastifyRequest, reply: FastifyReply, file: ScriptFile, cacheControl: string): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const tag = etagOf(file, encoding);
  forAnyPage(reply).header('cache-control', cacheControl).header('vary', 'Accept-Encoding').header('etag', tag);
  if (isKnown(tag, request.headers['if-none-match'])) return reply.code(304).send();
  if (encoding !== 'plain') reply.header('content-encoding', encoding);
  return reply.type('text/javascript; charset=utf-8').send(file[encoding]);
}

/**
 * The answer is the same for everyone and uses no cookies, so any page may load it, including a page that isolates itself
 * (COEP: require-corp).
 */
function forAnyPage(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
}
