import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { selectAudit } from './store.ts';

const Entry = Type.Object({
  at: Moment,
  actor: Type.String({ description: "E-mail of the account, or 'admin token'" }),
  action: Type.String({ examples: ['quarantine.reinjected'] }),
  subject: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});

const listing = {
  tag: 'Audit',
  status: 200,
  answer: PageOf(Entry),
  query: Type.Object(pageQuery, { additionalProperties: false }),
} as const;

export const listBrandAudit = endpoint({
  ...listing,
  method: 'GET',
  path: '/brands/:brand/audit',
  summary: 'Changes that people made at a brand, newest first',
  may: 'audit.read',
  params: BrandParams,
});

export const listAccountAudit = endpoint({
  ...listing,
  method: 'GET',
  path: '/audit',
  summary: 'Changes of console accounts, newest first',
  may: 'account.manage',
});

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
