import { type EventKind, messages } from '@croupier/contracts';

/**
 * Personal data, masked for roles without `personal.read` (docs/reference/design.md 7).
 *
 * What is shown is listed, what is not listed is masked: a field that an operator invents tomorrow, or that we forgot,
 * stays hidden. A mask tells that something is there; empty text and null stay, so that "details missing" can be seen.
 */
export const mask = '***';

/** Fields of the user details record that say nothing about who somebody is. */
const openProfileFields: ReadonlySet<string> = new Set([
  'country',
  'currency',
  'is_blocked',
  'is_excluded',
  'language',
  'market',
  'origin',
  'registration_code',
  'registration_date',
  'roles',
  'segmentation',
  'user_id',
  'verified_at',
]);

/** Fields of the interface's events that may say who somebody is, or are free text or free objects. */
const closedEventFields: ReadonlySet<string> = new Set([
  'data',
  'ip_address',
  'meta',
  'note',
  'url_referer',
  'user_agent',
]);

export function maskProfile<P extends object>(profile: P): P {
  return masked(profile, (name) => openProfileFields.has(name)) as P;
}

/** An event's body as it was sent, its fields masked that the interface does not know or that may be personal. */
export function maskEventBody(kind: EventKind, body: unknown): unknown {
  const known = messages[kind].schema.properties;
  return masked(body, (name) => Object.hasOwn(known, name) && !closedEventFields.has(name));
}

/** Free text that people wrote about a player: the note of a block may say why somebody excluded himself. */
export function maskText(text: string | null): string | null {
  return text === null || text === '' ? text : mask;
}

/** A free object of the operator's: its keys stay, so that an integrator still sees what is sent; all its values go. */
export function maskMeta(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, maskValue(value)]));
}

function masked(record: unknown, isOpen: (name: string) => boolean): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return maskValue(record);
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isOpen(name) ? value : maskValue(value)]),
  );
}

/** Objects keep their keys, so that an integrator still sees what is sent; all their values go. */
function maskValue(value: unknown): unknown {
  if (value === null || value === '') return value;
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskValue(each)]));
  }
  return mask;
}
