import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { traitChapters, windowsInWords } from '../../derive/index.ts';
import { endpoint } from '../routing/endpoint.ts';
import { serve } from '../routing/serve.ts';

const Trait = Type.Object({
  name: Type.String({ description: 'Name without a window. A window follows after `_`: `deposit_sum_7d`' }),
  chapter: Type.String({ description: 'Its chapter in docs/guides/traits.md' }),
  kind: Type.Enum(['number', 'amount', 'ratio', 'timestamp', 'duration', 'text', 'breakdown']),
  unit: Type.Enum(['count', 'base_currency', 'ratio', 'timestamp', 'days', 'years', 'seconds', 'id', 'text']),
  windows: Type.Enum(['every', 'favorite', 'lifetime'], {
    description: `every: ${windowsInWords}; favorite: 30d and 90d; each in addition to the lifetime`,
  }),
  personal: Type.Boolean({ description: 'Personal data: masked without personal.read' }),
  meaning: Type.String(),
  formula: Type.String({ description: 'Defined by events and fields, or by other traits' }),
});

export const listTraitsEndpoint = endpoint({
  method: 'GET',
  path: '/traits',
  tag: 'Traits',
  summary: 'The catalog of traits: meaning, unit, windows and formula',
  may: 'signed in',
  status: 200,
  answer: Type.Object({ items: Type.Array(Trait), next: Type.Null() }),
});

export function traitRoutes(app: FastifyInstance): void {
  const items = traitChapters.flatMap(({ title, traits }) =>
    traits.map(({ source: _, personal = false, ...trait }) => ({ ...trait, personal, chapter: title })),
  );
  serve(app, listTraitsEndpoint, async () => ({ items, next: null }));
}
