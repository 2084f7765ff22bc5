import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listAccountAudit, listBrandAudit } from './endpoints.ts';
import { selectAudit } from './store.ts';

const cursor = new CursorCodec('audit', Type.Number());

export function auditRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const list = async (brandId: number | null, query: { limit: number; cursor?: string }) => {
    const before = query.cursor === undefined ? null : cursor.decode(query.cursor);
    const rows = await selectAudit(deps.pool, brandId, query.limit + 1, before);
    const page = pageFrom(rows, query.limit, (last) => cursor.encode(last.audit_id));
    return { ...page, items: page.items.map((row) => ({ ...row, at: momentText(row.at) })) };
  };
  serve(app, listBrandAudit, ({ brand, query }) => list(brand.brand_id, query));
  serve(app, listAccountAudit, ({ query }) => list(null, query));
}
