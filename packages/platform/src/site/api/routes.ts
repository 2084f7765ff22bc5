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

/**
 * The brand code in the path that http/server.ts substitutes for a path that cannot be decoded or is too long. No brand can
 * have this code.
 */
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
        // A separate plugin, so that the body of a call to an unknown path is never read.
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

/** Browsers and proxies must not cache a player's data. They must not cache refusals either: the next call may be allowed. */
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

/** Runs after CORS, so that a page with a wrong window.crmbrand can read the error; its browser first sends an OPTIONS request. */
function refuseUnknownBrands(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ siteBrand, method }) => {
    if (siteBrand === null && method !== 'OPTIONS') throw new SiteRefusal('unknown_brand');
  });
}
