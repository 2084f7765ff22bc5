import { type SiteConfig, siteConfig as siteConfigSchema } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { largestAnonymousBody } from '../../http/callers.ts';
import { register, requireDefinitions } from '../../http/endpoints/register.ts';
import { preflightSeconds } from './cross-origin.ts';
import type { SiteDeps } from './deps.ts';
import { refused } from './documented-answers.ts';
import type { SiteEndpoint } from './endpoint.ts';
import { failed, SiteRefusal } from './envelope.ts';

/** How long browsers and proxies may cache the configuration, in seconds. It changes only with PUBLIC_URL. */
const maxAge = 300;

/**
 * Addresses for a custom front end (docs/reference/decisions.md 8). Anyone may call it, and all callers get the same answer. It
 * is the only call that is not below a brand.
 */
export const getConfig = {
  name: 'getConfig',
  method: 'GET',
  path: '/api/v1/config/:brand',
  server: '/',
  tag: 'Start',
  summary: 'Configuration for a custom front end',
  description: 'Without the envelope. Pages of every origin may call it.',
  may: 'anyone',
  params: Type.Object({
    brand: Type.String({ description: 'Code of the brand (window.crmbrand).', examples: ['demo'] }),
  }),
  answer: siteConfigSchema,
  withoutEnvelope: true,
  answerShown: {
    name: 'SiteConfig',
    sample: siteConfig('https://crm.example.com', 'demo'),
    means: 'The addresses.',
  },
  refusals: [refused('The brand does not exist.', 'unknown_brand')],
} as const satisfies SiteEndpoint;

export function configRoutes(
  app: FastifyInstance,
  { brands, publicUrl, clock }: Pick<SiteDeps, 'brands' | 'publicUrl' | 'clock'>,
): void {
  requireDefinitions(app);
  register(app, getConfig, {
    clock,
    defaultBodyBytes: largestAnonymousBody,
    wrongPart: () => new SiteRefusal('unknown_brand'),
    tooMany: (retryAfterSeconds) => new SiteRefusal('too_many_requests', { retryAfterSeconds }),
    handle: async ({ params: { brand: code } }, _request, reply) => {
      reply.header('access-control-allow-origin', '*');
      if (brands.byCode(code) === undefined) return reply.code(404).send(failed('unknown_brand'));
      return reply.header('cache-control', `public, max-age=${maxAge}`).send(siteConfig(publicUrl, code));
    },
  });
  // Answers the preflight of callers that send a custom header. Any header is allowed, because none is read.
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
