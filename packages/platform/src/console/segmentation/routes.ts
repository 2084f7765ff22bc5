import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { segmentationKinds } from '../../brands/index.ts';
import { readSegmentationKeys } from '../../operator/players/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const SegmentationKey = Type.Object({
  key: Type.String({ description: "As the operator sends it under `segmentation` in a player's details" }),
  mapped: Type.Boolean({ description: 'Has an entry in the brand setting `segmentation_traits`' }),
  trait: Nullable(
    Type.Object(
      { name: Type.String(), kind: Type.Enum([...segmentationKinds]), unit: Type.String() },
      {
        description:
          'The trait of the key. Null: no value fits a trait, or another key uses the name and the brand has to map this one',
      },
    ),
  ),
  seen: Type.Array(
    Type.Object({
      kind: Type.Enum([...segmentationKinds, 'other'], {
        description: 'other: a list or an object, which is not a trait',
      }),
      sample: Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: 'The first value' }),
      first_seen_at: Moment,
      last_seen_at: Type.String({
        format: 'date-time',
        description: 'Exact to a day. Only details that changed are counted',
      }),
    }),
    {
      description: 'Kinds of the values that players have under the key. Empty: the key is mapped, but was never sent',
    },
  ),
});

export const listSegmentationKeysEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/segmentation-keys',
  tag: 'Brands',
  summary: "The operator's segmentation keys with their traits",
  may: 'player.read',
  params: BrandParams,
  status: 200,
  answer: PageOf(SegmentationKey),
});

/** All in one page: a brand has at most some hundred keys (`maxKeys` of operator/players/segmentation). */
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
