import { type EventKind, messages } from '@croupier/contracts';

/**
 * Personal data, masked for roles without `personal.read` (docs/reference/design.md 7).
 *
 * Only listed fields are shown. All others are masked, so a field stays hidden if an operator adds it, or if it was forgotten
 * here. A mask shows that a value exists. Empty text and null are not masked, so that missing details are visible.
 */
export const mask = '***';

/** Fields of the user details record that do not identify a person. */
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

/** Fields of the interface's events that may identify a person, or are free text or free objects. */
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

/**
 * Masks the operator's answer to a session id. Croupier reads only `user_id`, but an operator may add any detail of the player. A `user_id`
 * that is not an id, such as an object, is masked, too.
 */
export function maskSidAnswer(answer: object): unknown {
  const { user_id } = answer as { user_id?: unknown };
  const isId = typeof user_id === 'string' || typeof user_id === 'number';
  return masked(answer, (name) => name === 'user_id' && isId);
}

/** An event's body as it was sent, with unknown and possibly personal fields masked. */
export function maskEventBody(kind: EventKind, body: unknown): unknown {
  const known = messages[kind].schema.properties;
  return masked(body, (name) => Object.hasOwn(known, name) && !closedEventFields.has(name));
}

/** Masks free text about a player: the note of a block may contain the reason for a self-exclusion. */
export function maskText(text: string | null): string | null {
  return text === null || text === '' ? text : mask;
}

/**
 * Masks a free object of the operator. Its keys stay, so that an integrator still sees what is sent. All its values are masked.
 */
export function maskMeta(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, maskValue(value)]));
}

function masked(record: unknown, isOpen: (name: string) => boolean): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return maskValue(record);
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isOpen(name) ? value : maskValue(value)]),
  );
}

/** Masks a value. An object keeps its keys, so that an integrator still sees what is sent. All its values are masked. */
function maskValue(value: unknown): unknown {
  if (value === null || value === '') return value;
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskValue(each)]));
  }
  return mask;
}
