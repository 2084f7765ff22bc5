import type { FastifyInstance } from 'fastify';
import { traitChapters } from '../../derive/index.ts';
import { serve } from '../routing/serve.ts';
import { listTraitsEndpoint } from './endpoints.ts';

export function traitRoutes(app: FastifyInstance): void {
  const items = traitChapters.flatMap(({ title, traits }) =>
    traits.map(({ source: _, personal = false, ...trait }) => ({ ...trait, personal, chapter: title })),
  );
  serve(app, listTraitsEndpoint, async () => ({ items, next: null }));
}
