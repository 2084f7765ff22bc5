import { Type } from 'typebox';
import { sessionScopes } from '../../derive/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable, PlayerParams, timeRange } from '../routing/fields.ts';

const Session = Type.Object({
  scope: Type.Enum(sessionScopes),
  vendor_id: Nullable(Type.String({ description: 'Null in scope play, as all ids and names of games' })),
  vendor_name: Nullable(Type.String()),
  game_id: Nullable(Type.String()),
  game_name: Nullable(Type.String()),
  game_type: Nullable(Type.String()),
  started_at: Moment,
  ended_at: Moment,
  seconds: Type.Number({ description: 'From its first activity to its last; 0 when there was only one' }),
  round_count: Type.Integer({ description: 'Rounds that began in it' }),
  bet_count: Type.Integer(),
  bet_sum: Money,
  win_sum: Money,
});

export const listSessionsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/sessions',
  tag: 'Players',
  summary: 'Sessions of a player, the latest beginning first; sums are in the base currency',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      scope: Type.Enum([...sessionScopes], {
        default: 'game',
        description: 'game: rounds of one game without a long pause; play: the same over all games',
      }),
      vendor_id: Type.Optional(Type.String({ minLength: 1, description: 'Sessions in games of this vendor' })),
      game_id: Type.Optional(Type.String({ minLength: 1, description: 'Sessions in this game' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Session),
});
