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
  summary: 'Dry run: what a campaign would do with real players if they entered now',
  description:
    "Runs the draft, or the published version if there is no draft, for one player or for the next players of the audience. It uses the player's current data. Nothing else happens until the end, so waits for events time out. For an entry by event, it uses the player's latest matching event. Nothing is written or sent.",
  may: 'player.read',
  conflict: 'Another transaction has locked a row of the player. Retry',
  params: CampaignParams,
  body: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1 })),
      players: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 20, description: 'Number of next players of the audience. Default 5' }),
      ),
      after: Type.Optional(Type.String({ description: '`next` of the previous call' })),
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
          description: 'False: the player has no event that starts the campaign, so templates have no event fields',
        }),
        timeline: Timeline,
      }),
    ),
    next: Nullable(Type.String()),
  }),
});
