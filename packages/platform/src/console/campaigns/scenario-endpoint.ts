import type { Campaign } from '@croupier/campaigns';
import { Type } from 'typebox';
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
    consents: Type.Optional(Type.Record(Type.String(), Type.Boolean(), { description: 'By type; default: given' })),
    blocks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    tags: Type.Optional(Type.Array(Type.String())),
    excluded: Type.Optional(Type.Boolean()),
    blocked: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const scenarioEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/scenario',
  tag: 'Campaigns',
  summary: 'Try a campaign on a made-up or copied player, on a clock of its own',
  description:
    "Runs the stages of the platform with the brand's settings, templates and segments. Nothing is written, and nothing is sent. It begins at the first event, or now; events come in the order of `at`.",
  may: 'player.read',
  params: BrandParams,
  body: Type.Object(
    {
      campaign: Type.Unsafe<Campaign>({ type: 'object', description: 'The document, published or not' }),
      player: Type.Optional(Player),
      events: Type.Optional(
        Type.Array(Type.Object({ at: Moment, kind: Type.String(), body: Type.Optional(Fields) }, strict), {
          maxItems: 500,
        }),
      ),
      enter: Type.Optional(
        Type.Object({ data: Type.Optional(Fields) }, { ...strict, description: 'Enter by a call at the beginning' }),
      ),
      until: Type.Optional(Moment),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    timeline: Timeline,
  }),
});
