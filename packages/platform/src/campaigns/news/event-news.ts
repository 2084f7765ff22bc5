import type { DecimalText, EventKind, Micros } from '@croupier/contracts';
import type { FactRow, Value } from '@croupier/rules';
import { type ConsumedEvent, fieldsOfEvent, inBase, positionName } from '../../derive/index.ts';
import { eventName } from './event-names.ts';
import type { EventNews } from './news.ts';

/**
 * Converts an event to news. Pure. Returns undefined for an event that campaigns ignore: a login of staff as the player starts no run,
 * ends no wait and reaches no goal (docs/reference/decisions.md 2.10). The live lane, backtests and dry runs all read events through this
 * function, so they ignore the same ones.
 *
 * @param triggerAge of the brand
 */
export function eventNews(
  { event, received_at, position }: Pick<ConsumedEvent, 'event' | 'received_at' | 'position'>,
  triggerAge: Micros,
): EventNews | undefined {
  if (event.kind === 'login' && event.is_impersonated === true) return undefined;
  const { kind, timestamp: at } = event;
  const fields = event as unknown as Readonly<Record<string, unknown>>;
  const id = positionName(position);
  return {
    type: 'event',
    id,
    key: `${kind} ${identityOf(kind, fields) ?? id}`,
    kind: eventName(kind),
    at,
    received_at,
    row: rowOf(at, fields, fieldsOfEvent(event)),
    starts: at >= received_at - triggerAge,
  };
}

/**
 * Fields that together identify what happened, for kinds in which two messages may describe one thing. Custom events have no such fields:
 * two with one timestamp and different data are two things, and derive has already marked a second copy of one as a repeat.
 */
const identities: Partial<Record<EventKind, readonly string[]>> = {
  payment: ['type', 'payment_id', 'status'],
  bonus: ['user_bonus_id', 'status'],
  // The timestamp tells apart the rounds of a counter that is used again. A retry has the same one.
  gameround: ['vendor_id', 'game_id', 'round_id', 'timestamp'],
  site_event: ['event_id'],
  message_event: ['event_id'],
};

function identityOf(kind: EventKind, fields: Readonly<Record<string, unknown>>): string | undefined {
  const values = identities[kind]?.map((name) => fields[name]);
  if (values === undefined || values.some((value) => value === undefined || value === '')) return undefined;
  return JSON.stringify(values);
}

/**
 * The fields of the event under their own names: amounts also in the base currency, and fields of `data` and `meta` by path.
 * Values of its fact are added under the names of did.<fact>, which conditions on events use.
 */
function rowOf(
  at: Micros,
  fields: Readonly<Record<string, unknown>>,
  factFields: Readonly<Record<string, unknown>>,
): FactRow {
  const row: Record<string, Value> & { at: Micros } = { at };
  const rate = fields.exchange_rate;
  for (const name in fields) {
    if (name === 'kind' || name === 'user_id') continue;
    const value = fields[name];
    if (isValue(value)) row[name] = value;
    else if ((name === 'data' || name === 'meta') && typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) if (isValue(inner)) row[`${name}.${key}`] = inner;
    if (typeof value === 'string' && typeof rate === 'string' && amountName.test(name))
      row[`base_${name}`] = inBase(value as DecimalText, rate as DecimalText);
  }
  for (const name in factFields) {
    const value = factFields[name];
    if (isValue(value)) row[name] ??= value;
  }
  return row;
}

const amountName = /(?:^|_)(?:amount|bet|win)$/;

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
