import type { EventKind } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { type JournalEntry, notedEntries, positionName } from '../../derive/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeEvent } from '../feed/described-event.ts';
import { summaryOf } from '../feed/routes.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { listConflicts, listOrphans } from './endpoints.ts';
import { type FactWithVersions, factOf } from './versions.ts';

const cursors = {
  conflict: new CursorCodec('conflicts', Type.String({ pattern: '^[0-9:]+$' })),
  orphan: new CursorCodec('orphans', Type.String({ pattern: '^[0-9:]+$' })),
};

export function contradictionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const list = async (
    verdict: 'conflict' | 'orphan',
    brand: Brand,
    query: { kind?: EventKind; limit: number; cursor?: string },
  ) => {
    const before = query.cursor === undefined ? undefined : cursors[verdict].decode(query.cursor);
    const filter = { verdicts: [verdict], ...(query.kind !== undefined && { kinds: [query.kind] }) };
    const { entries, next } = await notedEntries(deps.pool, brand.brand_id, filter, query.limit, before);
    const sources = await deps.ledger.at(entries.map(({ position }) => position));
    const marks = new Map(entries.map((entry) => [positionName(entry.position), entry]));
    const items = [];
    for (const source of sources) {
      const mark = marks.get(positionName(source.position));
      if (mark !== undefined) items.push(await present(deps, brand, mark, source));
    }
    return { items, next: next && cursors[verdict].encode(next) };
  };
  serve(app, listConflicts, ({ brand, query }) => list('conflict', brand, query));
  serve(app, listOrphans, ({ brand, query }) => list('orphan', brand, query));
}

async function present(deps: ConsoleDeps, brand: Brand, mark: JournalEntry, source: LedgerEvent) {
  const found = await factOf(deps, brand, mark, source);
  return { ...summaryOf(describeEvent(source, mark, { brand, now: deps.clock() })), fact: found && presentFact(found) };
}

function presentFact({ met, versions }: FactWithVersions) {
  const { fact, key, status, orphan } = met;
  return {
    type: fact,
    key,
    status,
    orphan,
    versions: versions.map((version) => ({
      ...version,
      timestamp: momentText(version.timestamp),
      received_at: momentText(version.received_at),
    })),
  };
}
