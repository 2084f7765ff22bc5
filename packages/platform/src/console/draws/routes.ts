import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listDraws } from '../../derive/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { MicrosShape, momentText, readMoment } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listDrawsEndpoint } from './endpoints.ts';

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
    const after = text === undefined ? undefined : cursor.decode(text);
    const rows = await listDraws(pool, brand.brand_id, filter, limit + 1, after);
    const { items, next } = pageFrom(rows, limit, ({ draw_date, version, lottery_id, draw_id }) =>
      cursor.encode({ draw_date, version, lottery_id, draw_id }),
    );
    return { items: items.map(({ draw_date, ...draw }) => ({ ...draw, draw_date: momentText(draw_date) })), next };
  });
}
