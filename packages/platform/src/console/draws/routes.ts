import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listDraws } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, MicrosShape, Moment, momentText, Nullable, readMoment, timeRange } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const Numbers = Nullable(Type.Array(Type.Integer()));

const Draw = Type.Object({
  version: Type.Integer({ description: 'Version of the interface' }),
  lottery_id: Type.String({ description: 'Version 1: the name of the product' }),
  lottery_name: Nullable(Type.String()),
  lottery_type: Nullable(Type.String()),
  draw_id: Type.String({ description: 'Version 1 has no draw ids, so this is the time of the draw' }),
  draw_date: Moment,
  numbers: Numbers,
  special_numbers: Numbers,
});

export const listDrawsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/draws',
  tag: 'Games',
  summary: 'Draws named by events, latest first. The numbers are included after a settlement has reported them',
  description: '`from` and `to` limit the draw date.',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    {
      lottery: Type.Optional(Type.String({ maxLength: 255, description: 'Only draws with this lottery_id' })),
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Draw),
});

const cursor = new CursorCodec(
  'draws',
  Type.Object({
    draw_date: MicrosShape,
    version: Type.Union([Type.Literal(1), Type.Literal(2)]),
    lottery_id: Type.String(),
    draw_id: Type.String(),
  }),
);

export function drawRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listDrawsEndpoint, async ({ brand, query }) => {
    const { limit, cursor: text, from, to, lottery, version } = query;
    const filter = {
      lottery_id: lottery,
      version: version as 1 | 2 | undefined,
      from: readMoment('from', from),
      to: readMoment('to', to),
    };
    const after = cursor.decode(text);
    const rows = await listDraws(pool, brand.brand_id, filter, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ draw_date, version, lottery_id, draw_id }) =>
      cursor.encode({ draw_date, version, lottery_id, draw_id }),
    );
    return { items: items.map(({ draw_date, ...draw }) => ({ ...draw, draw_date: momentText(draw_date) })), next };
  });
}
