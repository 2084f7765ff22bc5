import { type EventKind, eventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { factWords, notedEntries, positionName } from '../../derive/index.ts';
import type { Language } from '../../language.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeEvent } from '../feed/described-event.ts';
import { summaryOf } from '../feed/routes.ts';
import { EventSummary, Summary } from '../feed/schemas.ts';
import { withGameNames } from '../feed/with-game-names.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Money, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { type FactWithVersions, factsOf } from './versions.ts';

const Version = Type.Object({
  position: Type.String({ description: 'Its position in the ledger: GET .../feed/:position' }),
  status: Nullable(Type.String({ description: 'Null for kinds without a status' })),
  timestamp: Moment,
  received_at: Moment,
  amount: Nullable(Money),
  currency: Nullable(Type.String()),
  exchange_rate: Nullable(Money),
  summary: Summary,
  in_force: Type.Boolean({ description: 'This version counts. The fact has its amounts' }),
});

const Contradiction = Type.Object({
  ...EventSummary,
  fact: Nullable(
    Type.Object(
      {
        type: Type.Enum(factWords),
        key: Type.Record(Type.String(), Type.String(), {
          description: 'Key of the fact',
          examples: [{ payment_id: '23541', type: 'Credit' }],
        }),
        status: Type.String({ description: 'Current status of the fact, as in its list' }),
        orphan: Type.Boolean({ description: 'Still without its counterpart' }),
        versions: Type.Array(Version, { description: 'Its events, including this one and repeats, oldest first' }),
      },
      {
        description: 'The fact of the event. Null if it is no longer stored, and for a payment without payment_id',
      },
    ),
  ),
});

const list = {
  method: 'GET',
  tag: 'Feed',
  may: 'event.read',
  params: BrandParams,
  query: Type.Object({ kind: Type.Optional(Type.Enum(eventKinds)), ...pageQuery }, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Contradiction),
} as const;

export const listConflicts = endpoint({
  ...list,
  path: '/brands/:brand/conflicts',
  summary: 'Events with different money than an earlier event of the same key, newest first',
});

export const listOrphans = endpoint({
  ...list,
  path: '/brands/:brand/orphans',
  summary: 'Events whose counterpart was missing on arrival, newest first',
});

const cursors = {
  conflict: new CursorCodec('conflicts', Type.String({ pattern: '^[0-9:]+$' })),
  orphan: new CursorCodec('orphans', Type.String({ pattern: '^[0-9:]+$' })),
};

export function contradictionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const list = async (
    verdict: 'conflict' | 'orphan',
    brand: Brand,
    query: { kind?: EventKind; limit: number; cursor?: string },
    language: Language,
  ) => {
    const before = cursors[verdict].decode(query.cursor);
    const filter = { verdict, ...(query.kind !== undefined && { kinds: [query.kind] }) };
    const { entries, next } = await notedEntries(deps.pool, brand.brand_id, filter, query.limit, before);
    const sources = await deps.ledger.at(entries.map(({ position }) => position));
    const marks = new Map(entries.map((entry) => [positionName(entry.position), entry]));
    const found = sources.flatMap((source) => {
      const entry = marks.get(positionName(source.position));
      return entry === undefined ? [] : [{ entry, source }];
    });
    const facts = await factsOf(deps, brand, found);
    const now = deps.clock();
    const described = await withGameNames(
      deps.pool,
      brand.brand_id,
      found.map(({ entry, source }) => describeEvent(source, entry, { brand, now })),
    );
    const items = described.map((event, place) => ({
      ...summaryOf(event, language),
      fact: presentFact(facts[place] ?? null, language),
    }));
    return { items, next: next && cursors[verdict].encode(next) };
  };
  serve(app, listConflicts, ({ brand, query, language }) => list('conflict', brand, query, language));
  serve(app, listOrphans, ({ brand, query, language }) => list('orphan', brand, query, language));
}

function presentFact(factWithVersions: FactWithVersions | null, language: Language) {
  if (factWithVersions === null) return null;
  const { fact: found, versions } = factWithVersions;
  const { fact, key, status, orphan } = found;
  return {
    type: fact,
    key,
    status,
    orphan,
    versions: versions.map(({ event: _, ...version }) => ({
      ...version,
      summary: version.summary(language),
      timestamp: momentText(version.timestamp),
      received_at: momentText(version.received_at),
    })),
  };
}
