import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, PlayerParams, timeRange } from '../routing/fields.ts';

const FreeData = (sentBy: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: `As ${sentBy} sent it; values masked without the right to see personal data`,
  });

const CustomEvent = Type.Object({
  notification_type: Type.String(),
  timestamp: Moment,
  origin: Type.String(),
  data: FreeData('the operator'),
});

const SiteEvent = Type.Object({
  name: Type.String(),
  timestamp: Moment,
  event_id: Type.String({ description: 'The Id of the call that tracked it' }),
  data: FreeData('the page'),
});

export const listCustomEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/custom-events',
  tag: 'Players',
  summary: 'Events of a player that the operator named itself, the newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      type: Type.Optional(Type.String({ minLength: 1, description: 'Their notification_type' })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(CustomEvent),
});

export const listSiteEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/site-events',
  tag: 'Players',
  summary: 'Events of a player that a page tracked, the newest first',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1 })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(SiteEvent),
});
