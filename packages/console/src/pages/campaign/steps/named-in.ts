import type { About } from '../../../api/named.ts';
import { isObject } from '../draft/edits.ts';

/** Returns the segments and templates that a part of a document names, in its steps, entry or goal. Pure. */
export function namedIn(part: unknown): About[] {
  if (Array.isArray(part)) return part.flatMap(namedIn);
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([field, value]): About[] => {
    if (typeof value !== 'string') return namedIn(value);
    if (value === '') return [];
    if (field === 'segment') return [{ segment: value }];
    return field === 'template' ? [{ template: value }] : [];
  });
}
