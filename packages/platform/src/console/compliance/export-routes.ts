import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { type DecisionFilter, type ExportFormat, exportDecisions } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { decisionFilter } from './decision-filter.ts';
import { decisionFilters } from './decision-schemas.ts';

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));

const exportOfDecisions = {
  method: 'GET',
  tag: 'Compliance',
  description:
    'Oldest first, without a length limit. The answer is streamed, and the call is written to the audit. docs/guides/compliance.md describes how to check the proofs.',
  may: 'decision.export',
  params: BrandParams,
  query: Type.Object(decisionFilters, { additionalProperties: false }),
  status: 200,
} as const;

export const exportCsv = endpoint({
  ...exportOfDecisions,
  path: '/brands/:brand/decisions/export.csv',
  summary: 'Decisions of a player or a period with their proofs, as CSV',
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File('RFC 4180, with a header line'),
});

export const exportJsonLines = endpoint({
  ...exportOfDecisions,
  path: '/brands/:brand/decisions/export.jsonl',
  summary: 'Decisions of a player or a period with their proofs, as JSON lines',
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('Lines of type `seal` and `decision`, and `end` as the last line. A file without `end` is incomplete'),
});

export function decisionExportRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, exportCsv, async ({ access, brand, query }) =>
    exported(access, brand, 'csv', await decisionFilter(pool, brand, query)),
  );
  serve(app, exportJsonLines, async ({ access, brand, query }) =>
    exported(access, brand, 'json_lines', await decisionFilter(pool, brand, query)),
  );

  /** The audit row is written before the first line is sent; if that fails, nothing is sent. */
  async function exported(
    access: Access,
    brand: Brand,
    format: ExportFormat,
    filter: DecisionFilter,
  ): Promise<Readable> {
    const subject = filter.player_id === undefined ? `brand ${brand.brand_id}` : `player ${filter.player_id}`;
    await record(deps, access, { action: 'decisions.exported', brand, subject, details: { format, filter } });
    // The strings have about 100 KB each. One of them waits while the client reads another.
    return Readable.from(exportDecisions(pool, brand.brand_id, filter, format, clock()), { highWaterMark: 1 });
  }
}
