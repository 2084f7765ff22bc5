import { eventKinds, messages } from '@croupier/contracts';
import type { Catalog } from '@croupier/rules';
import { eventName } from '../news/event-names.ts';

interface Property {
  type?: string | readonly string[];
}

/** Fields that contain other fields; `event.data.prize` reads one of them. */
const free = ['data', 'meta'];

/**
 * The fields that messages can insert as `event.<field>` if the campaign starts with this event. These are the fields of the
 * event's kinds that have one value, their amounts in the base currency, and the fields of their fact. Undefined if the event
 * does not exist.
 */
export function fieldsOfEvent(name: string, catalog: Catalog): ReadonlySet<string> | undefined {
  const kinds = eventKinds.filter((kind) => eventName(kind) === name);
  if (kinds.length === 0) return undefined;
  const written = kinds.flatMap((kind) => {
    const { properties } = messages[kind].schema as { properties: Readonly<Record<string, Property>> };
    return Object.entries(properties).flatMap(([field, { type }]) => {
      if (field === 'user_id' || ((type === 'array' || type === 'object') && !free.includes(field))) return [];
      return /(?:^|_)(?:amount|bet|win)$/.test(field) ? [field, `base_${field}`] : [field];
    });
  });
  const ofFact = catalog.fact(name)?.fields.map((field) => field.name.split('.')[0] ?? '') ?? [];
  return new Set(['at', ...written, ...ofFact]);
}
