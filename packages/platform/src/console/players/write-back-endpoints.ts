import { Type } from 'typebox';
import { writeBackLists } from '../../operator/writeback/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, PlayerParams } from '../routing/fields.ts';
import { Attempt, Written } from './write-back-fields.ts';

export const listPlayerWritesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/write-backs',
  tag: 'Players',
  summary:
    'Consents and blocks of a player that were changed here, the newest first, and how far the operator has them',
  description: '`attempts` are the last 20 calls of each record, the newest first, on every page.',
  may: 'player.read',
  params: PlayerParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: Type.Object({ ...PageOf(Written).properties, attempts: Type.Array(Attempt) }),
});

export const listBrandWritesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/write-backs',
  tag: 'Operator',
  summary: "Changed consents and blocks that are not settled with the operator's books, the oldest first",
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      list: Type.Enum([...writeBackLists], {
        default: 'open',
        description:
          'failing: only those that the operator did not store. contradicted: only those that it answers to have stored, and has not',
      }),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Written),
});
