import type { Known } from '@croupier/campaigns';
import { eventKinds, messages } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { listTemplates } from '../../channels/index.ts';
import { readCatalog, readSegments } from '../../segments/membership/index.ts';
import { eventName } from '../news/event-names.ts';

const mostTemplates = 10_000;

/** Everything that campaigns of a brand can currently refer to. */
export async function knownTo(db: Pool | ClientBase, brand: Brand): Promise<Known> {
  const { brand_id } = brand;
  const catalog = await readCatalog(db, brand);
  const segments = await readSegments(db, brand_id);
  const templates = await listTemplates(db, brand_id, { limit: mostTemplates });
  return {
    catalog,
    segments: new Set(segments.map(({ code }) => code)),
    templates: new Map(templates.map(({ code, channel, purpose }) => [code, { channel, purpose }])),
    events: knownEvents,
  };
}

/** The events that campaigns can use, with the fixed lists of values of their fields. */
export const knownEvents: Known['events'] = new Map(
  [...Map.groupBy(eventKinds, eventName)].map(([name, kinds]) => [
    name,
    new Map(
      kinds.flatMap((kind) => {
        const { properties } = messages[kind].schema as { properties: Readonly<Record<string, { enum?: string[] }>> };
        return Object.entries(properties).flatMap(([field, { enum: values }]) =>
          values === undefined ? [] : [[field, values] as const],
        );
      }),
    ),
  ]),
);
