import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, timeRange } from '../routing/fields.ts';

const Numbers = Nullable(Type.Array(Type.Integer()));

const Draw = Type.Object({
  version: Type.Integer({ description: 'Of the interface' }),
  lottery_id: Type.String({ description: 'Version 1: the name of the product' }),
  lottery_name: Nullable(Type.String()),
  lottery_type: Nullable(Type.String()),
  draw_id: Type.String({ description: 'Version 1 has no ids of draws: its time' }),
  draw_date: Moment,
  numbers: Numbers,
  special_numbers: Numbers,
});

export const listDrawsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/draws',
  tag: 'Games',
  summary: 'Draws of lotteries of which events told, with their numbers once a settlement named them, the latest first',
  description: '`from` and `to` are bounds of the draw date.',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      lottery: Type.Optional(Type.String({ maxLength: 255, description: 'lottery_id' })),
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Draw),
});
