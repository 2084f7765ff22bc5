import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { requireDefinitions } from '../../http/endpoints/register.ts';
import { answerErrors } from './answer-errors.ts';
import { siteCalls } from './calls.ts';
import { configRoutes } from './config.ts';
import { crossOrigin } from './cross-origin.ts';
import type { SiteDeps } from './deps.ts';
import { SiteRefusal } from './envelope.ts';
import { serve } from './serve.ts';
import { takeBodies } from './take-bodies.ts';

/** {notifications_base_url} = <public url>/site/<brand code> (docs/reference/decisions.md 8). */
export const sitePath = '/site';

/** What http/server.ts makes of a path that cannot be decoded, or has no end. No brand can have this code. */
const noBrand = '-';

/** The site API as a plugin; register it without a prefix. Everything below /site/<brand> is answered in the envelope. */
export function siteRoutes(deps: SiteDeps): FastifyPluginAsync {
  return async (server) => {
    await server.register(async (app) => configRoutes(app, deps));
    await server.register(
      async (app) => {
        answerErrors(app, deps);
        keepNothing(app);
        findBrand(app, deps);
        crossOrigin(app);
        refuseUnknownBrands(app);
        // Of their own, so that nobody reads the body of a call to a path that does not exist.
        await app.register(async (calls) => {
          takeBodies(calls);
          requireDefinitions(calls);
          for (const call of siteCalls) serve(calls, deps, call);
        });
      },
      { prefix: `${sitePath}/:brand` },
    );
  };
}

/** What is one player's must not be kept by a browser or a proxy; refusals neither, which may be over with the next call. */
function keepNothing(app: FastifyInstance): void {
  app.addHook('onRequest', async (_, reply) => void reply.header('cache-control', 'no-store'));
}

function findBrand(app: FastifyInstance, { brands }: SiteDeps): void {
  app.decorateRequest('siteBrand', null);
  app.decorateRequest('siteCaller', null);
  app.addHook('onRequest', async (request) => {
    const { brand: code = '' } = request.params as { brand?: string };
    if (code === noBrand) throw new SiteRefusal('unknown_path');
    request.siteBrand = brands.byCode(code) ?? null;
  });
}

/** After CORS, so that a page with a misspelt window.crmbrand may read what is wrong; its browser asks by OPTIONS first. */
function refuseUnknownBrands(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ siteBrand, method }) => {
    if (siteBrand === null && method !== 'OPTIONS') throw new SiteRefusal('unknown_brand');
  });
}
