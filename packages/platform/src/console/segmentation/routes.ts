import type { FastifyInstance } from 'fastify';
import { readSegmentationKeys } from '../../operator/players/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listSegmentationKeysEndpoint } from './endpoints.ts';

/** In one page: a brand has at most some hundred keys (`maxKeys` of operator/players/segmentation). */
export function segmentationRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listSegmentationKeysEndpoint, async ({ brand }) => {
    const keys = await readSegmentationKeys(pool, brand);
    return {
      items: keys.map(({ key, mapped, trait, seen }) => ({
        key,
        mapped,
        trait: trait && { name: trait.name, kind: trait.kind, unit: trait.unit },
        seen: seen.map(({ kind, sample, first_seen_at, last_seen_at }) => ({
          kind,
          sample,
          first_seen_at: momentText(first_seen_at),
          last_seen_at: momentText(last_seen_at),
        })),
      })),
      next: null,
    };
  });
}
