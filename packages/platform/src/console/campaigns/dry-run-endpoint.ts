import { Type } from 'typebox';
import { refusals } from '../../campaigns/index.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Nullable } from '../routing/fields.ts';
import { CampaignParams } from './params.ts';
import { Timeline } from './timeline.ts';

const strict = { additionalProperties: false };

export const dryRunEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/:code/dry-run',
  tag: 'Campaigns',
  summary: 'What a campaign would do with real players if they entered now',
  description:
    "The draft, or the published version if there is none, for one player or for the next ones of the audience. What is known of the player now, and nothing else happens until the end: waits for events time out. An entry by an event takes the player's latest event that matches. Nothing is written, and nothing is sent.",
  may: 'player.read',
  conflict: 'A row of the player is locked by somebody else; try again',
  params: CampaignParams,
  body: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1 })),
      players: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 20, description: 'The next players of the audience; default 5' }),
      ),
      after: Type.Optional(Type.String({ description: '`next` of the call before' })),
      version: Type.Optional(Type.Enum(['draft', 'published'])),
      until: Type.Optional(Type.String({ format: 'date-time', description: 'Default: 30 days from now' })),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    version: Type.Integer(),
    state: Type.Enum(['draft', 'published', 'retired']),
    until: Moment,
    items: Type.Array(
      Type.Object({
        user_id: Type.String(),
        enters: Type.Boolean(),
        reason: Nullable(Type.Enum([...refusals], { description: 'Why the player does not enter' })),
        has_cause: Type.Boolean({
          description:
            'False: the player has no event that the campaign begins with, so templates find no fields of it',
        }),
        timeline: Timeline,
      }),
    ),
    next: Nullable(Type.String()),
  }),
});
