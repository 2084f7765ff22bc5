import type { SiteConfig } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { preflightSeconds } from './cross-origin.ts';
import type { SiteDeps } from './deps.ts';
import { failed } from './envelope.ts';

/** Seconds for which browsers and proxies may keep it: it changes with PUBLIC_URL only. */
const maxAge = 300;

/** GET /api/v1/config/<brand>: where a self-built front end finds the rest (docs/reference/decisions.md 8). Public, and the same for everyone. */
export function configRoutes(
  app: FastifyInstance,
  { brands, publicUrl }: Pick<SiteDeps, 'brands' | 'publicUrl'>,
): void {
  app.get('/api/v1/config/:brand', (request, reply) => {
    const { brand: code } = request.params as { brand: string };
    reply.header('access-control-allow-origin', '*');
    if (brands.byCode(code) === undefined) return reply.code(404).send(failed('unknown_brand'));
    return reply.header('cache-control', `public, max-age=${maxAge}`).send(siteConfig(publicUrl, code));
  });
  // Asked for by whoever sends a header of his own with the call; it may have any, as none is read.
  app.options('/api/v1/config/:brand', (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', '*')
      .header('access-control-max-age', preflightSeconds)
      .send(),
  );
}

export function siteConfig(publicUrl: string, code: string): SiteConfig {
  const { protocol, hostname, port } = new URL(publicUrl);
  const base = `${publicUrl}/site/${code}`;
  const isSecure = protocol === 'https:';
  return {
    crmUrl: base,
    fusionUrl: base,
    prismaUrl: base,
    pusherKey: code,
    pusherRegion: 'eu',
    wsHost: hostname,
    wsPort: port === '' ? (isSecure ? 443 : 80) : Number(port),
    forceTLS: isSecure,
  };
}
