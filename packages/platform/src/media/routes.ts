import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import Type from 'typebox';
import type { BrandRegistry } from '../brands/index.ts';
import type { Clock } from '../clock.ts';
import { isDatabaseAway } from '../database/index.ts';
import { largestAnonymousBody } from '../http/callers.ts';
import type { Endpoint } from '../http/endpoints/endpoint.ts';
import { register } from '../http/endpoints/register.ts';
import { extensionOf, type ImageType } from './image.ts';
import { type MediaFile, readMedia } from './store.ts';

/*
 * GET /media/<brand>/<digest>.<extension>: an image of a message, without authentication. The content of an address never
 * changes, so browsers and proxies cache it. It is never executed, regardless of its bytes.
 */
export interface MediaRouteDeps {
  pool: Pool;
  clock: Clock;
  brands: Pick<BrandRegistry, 'byCode'>;
}

export const mediaPath = '/media';

/** Maximum size in bytes of the images that one process keeps in memory. */
const keptBytes = 32 * 1024 * 1024;
/** Milliseconds until a cached image is read again. A deleted image may be shown for this long. */
const keptMs = 60_000;

/** The address of a file of the brand. @param publicUrl of the installation */
export function mediaUrl(
  publicUrl: string,
  brand: string,
  { digest, type }: Pick<MediaFile, 'digest' | 'type'>,
): string {
  return `${publicUrl.replace(/\/+$/, '')}${mediaPath}/${brand}/${digest}.${extensionOf(type)}`;
}

const showMedia = {
  method: 'GET',
  path: '/:brand/:file',
  tag: 'Media',
  summary: 'Shows a picture of a brand',
  may: 'anyone',
  params: Type.Object({
    brand: Type.String(),
    file: Type.String({ pattern: '^[A-Za-z0-9_-]{22}\\.(png|jpg|gif|webp)$' }),
  }),
  // Proxies of mail providers load images for all their users, so only calls with wrong addresses count.
  networkLimit: { burst: 200, per_second: 20, counts: 'failures' },
  answer: Type.String(),
} as const satisfies Endpoint;

class Failure extends Error {
  readonly statusCode: number;
  readonly retryAfter: number | undefined;
  constructor(statusCode: number, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

/** The route as a plugin; register it without a prefix. */
export function mediaRoutes({ pool, clock, brands }: MediaRouteDeps): FastifyPluginAsync {
  return async (server) => {
    const pictures = new LRUCache<string, { type: ImageType; content: Buffer }>({
      maxSize: keptBytes,
      sizeCalculation: ({ content }) => content.length,
      ttl: keptMs,
    });
    const find = async (code: string, file: string) => {
      const key = `${code}/${file}`;
      const present = pictures.get(key);
      if (present !== undefined) return present;
      const brand = brands.byCode(code);
      const [digest = '', extension] = file.split('.');
      const found = brand === undefined ? null : await readMedia(pool, brand.brand_id, digest);
      if (found === null || extensionOf(found.type) !== extension) throw new Failure(404, 'There is no such picture.');
      pictures.set(key, found);
      return found;
    };
    await server.register(
      async (app) => {
        app.setErrorHandler((error: Error & { statusCode?: number; retryAfter?: number }, _request, reply) => {
          const status = isDatabaseAway(error) ? 503 : (error.statusCode ?? 500);
          if (status === 500) throw error;
          if (status === 503 || error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter ?? 5);
          return plainly(reply).code(status).header('cache-control', 'no-store').type('text/plain').send(`${status}\n`);
        });
        register(app, showMedia, {
          clock,
          defaultBodyBytes: largestAnonymousBody,
          wrongPart: () => new Failure(404, 'There is no such picture.'),
          tooMany: (seconds) => new Failure(429, 'Too many wrong addresses.', seconds),
          handle: async ({ params: { brand, file } }, request, reply) => {
            const { type, content } = await find(brand, file);
            plainly(reply).header('cache-control', 'public, max-age=31536000, immutable').header('etag', `"${file}"`);
            if (request.headers['if-none-match']?.includes(`"${file}"`)) return reply.code(304).send();
            return reply.type(type).send(content);
          },
        });
      },
      { prefix: mediaPath },
    );
  };
}

/** Pages of any origin may show the file, but only as an image. Every answer of the server has `nosniff`. */
function plainly(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('access-control-allow-origin', '*');
}
