import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import { type DecisionFilter, type ExportFormat, exportDecisions } from '../../gate/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { decisionFilter } from './decision-filter.ts';
import { exportCsv, exportJsonLines } from './export-endpoints.ts';

export function decisionExportRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, exportCsv, async ({ access, brand, query }) =>
    exported(access, brand, 'csv', await decisionFilter(pool, brand, query)),
  );
  serve(app, exportJsonLines, async ({ access, brand, query }) =>
    exported(access, brand, 'json_lines', await decisionFilter(pool, brand, query)),
  );

  /** The audit is written before the first line leaves; where it cannot be, nothing leaves. */
  async function exported(
    access: Access,
    brand: Brand,
    format: ExportFormat,
    filter: DecisionFilter,
  ): Promise<Readable> {
    const subject = filter.player_id === undefined ? `brand ${brand.brand_id}` : `player ${filter.player_id}`;
    await record(deps, access, { action: 'decisions.exported', brand, subject, details: { format, filter } });
    // Strings of about 100 KB each; one waits while the reader takes another.
    return Readable.from(exportDecisions(pool, brand.brand_id, filter, format, clock()), { highWaterMark: 1 });
  }
}
