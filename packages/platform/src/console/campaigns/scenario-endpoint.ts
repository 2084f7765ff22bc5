import type { Campaign } from '@croupier/campaigns';
import { Type } from 'typebox';
import type { TriedSegment } from '../../scenarios/index.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment } from '../routing/fields.ts';
import { Timeline } from './timeline.ts';

const strict = { additionalProperties: false };
const Fields = Type.Record(Type.String(), Type.Unknown());

const Player = Type.Object(
  {
    copy_of: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A player of the brand, with details, consents, blocks, tags and events',
      }),
    ),
    user_id: Type.Optional(Type.String({ minLength: 1 })),
    profile: Type.Optional(Fields),
    consents: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), { description: 'Consents by type. Default: given' }),
    ),
    blocks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    tags: Type.Optional(Type.Array(Type.String())),
    excluded: Type.Optional(Type.Boolean()),
    blocked: Type.Optional(Type.Boolean()),
    traits: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Starting values by the names of the catalog: counts, amounts, biggest amounts, and first and last dates. Events add to them. Not for a copied player',
        examples: [{ deposit_count: 5, deposit_count_7d: 2, deposit_last_at: '2026-05-01T12:00:00Z' }],
      }),
    ),
  },
  strict,
);

export const scenarioEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/scenario',
  tag: 'Campaigns',
  summary: 'Try a campaign or segment on an invented or copied player, on a simulated clock',
  description:
    "Runs the platform's stages with the brand's settings, templates and segments. Nothing is written or sent. It starts at the first event, or now. Events are processed in the order of `at`.",
  may: 'player.read',
  params: BrandParams,
  body: Type.Object(
    {
      campaign: Type.Optional(
        Type.Unsafe<Campaign>({
          type: 'object',
          description: 'The document. It does not have to be published',
        }),
      ),
      segment: Type.Optional(
        Type.Unsafe<TriedSegment>({
          anyOf: [
            { type: 'string', minLength: 1 },
            {
              type: 'object',
              required: ['code', 'rule'],
              properties: { code: { type: 'string' }, rule: { type: 'object' } },
            },
          ],
          description:
            'In place of `campaign`: the code of a segment, or a document with `code` and `rule`. The timeline has a row for each time at which the player enters or leaves it',
        }),
      ),
      player: Type.Optional(Player),
      events: Type.Optional(
        Type.Array(Type.Object({ at: Moment, kind: Type.String(), body: Type.Optional(Fields) }, strict), {
          maxItems: 500,
        }),
      ),
      enter: Type.Optional(
        Type.Object(
          { data: Type.Optional(Fields) },
          { ...strict, description: 'Enter the player by a call at the start' },
        ),
      ),
      until: Type.Optional(Moment),
    },
    strict,
  ),
  status: 200,
  conflict: 'The scenario cannot be run, for example because the segment has no published rule',
  answer: Type.Object({
    timeline: Timeline,
  }),
});
