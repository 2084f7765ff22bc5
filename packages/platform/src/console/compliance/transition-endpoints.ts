import { Type } from 'typebox';
import { transitionKinds } from '../../operator/protection/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

export const listTransitionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/transitions',
  tag: 'Compliance',
  summary: 'Exclusions, blocks and consents that began or ended, the newest first',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String({ minLength: 1 })),
      kind: Type.Optional(Type.Enum(transitionKinds)),
      waiting: Type.Optional(Type.Boolean({ description: 'Only those that not every follower has handled' })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      transition_id: Type.Integer(),
      user_id: Nullable(Type.String({ description: 'Null: the player was erased' })),
      player_id: Type.Integer(),
      kind: Type.Enum(transitionKinds),
      consent_type: Nullable(Type.String()),
      source: Type.String({ description: 'Where it was learned' }),
      at: Moment,
      waiting: Type.Array(
        Type.Object({
          follower: Type.String({ description: 'Has not handled it yet' }),
          attempts: Type.Integer(),
          failure: Nullable(Type.String()),
        }),
      ),
    }),
  ),
});
