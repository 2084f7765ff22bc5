import { type EventOf, messages } from './events/index.ts';
import type { FieldError } from './field-error.ts';
import { maxErrors, Reading } from './fields/field.ts';
import type { JsonObject } from './fields/free.ts';
import { isObject } from './fields/record.ts';
import { show } from './fields/show.ts';
import type { Flag } from './flags.ts';
import type { EventKind } from './kinds.ts';
import { copyMarks } from './numbers/number-marks.ts';
import type { Micros } from './values.ts';

export interface ReadContext {
  /**
   * The clock that `timestamp` is compared with. For an event of the ledger, pass its time of receipt, so that reading
   * it again gives the same result.
   */
  now: Micros;
  /** The brand's zone for timestamps without an offset (brand setting `zoneless_timestamps`). */
  zoneless_timestamps: string;
  /** The brand's base currency, upper-case. */
  base_currency: string;
  /**
   * Middle word of the brand's reference headers (brand setting `reference_prefix`). It is also part of the names of
   * references in bonus events. Default: Crm.
   */
  reference_prefix?: string;
  /**
   * True if the event is already in the ledger. Then the event is not refused for a timestamp more than 24 hours ahead, because that was
   * decided on arrival. Unknown fields that look like known ones are flagged. On arrival this comparison is skipped, because it does not
   * change the answer.
   */
  trusted?: boolean;
}

export type EventReading<K extends EventKind> =
  | { ok: true; event: EventOf<K>; flags: readonly Flag[]; remarks: readonly FieldError[] }
  | { ok: false; errors: FieldError[] };

const noFlags: readonly Flag[] = [];
const noRemarks: readonly FieldError[] = [];

/**
 * Reads the parsed body of one event. It is strict about meaning and tolerant about form (docs/reference/decisions.md
 * 1). In the event, ids are text, absent optional fields are undefined, sets have the interface's spelling, times are
 * Micros, and money is exact decimal text.
 *
 * It is pure, and returns an answer for any JSON. It throws only if the time zone in the context is unknown. One answer
 * contains all missing and invalid fields. `body` should come from `parseBody`, which keeps long numbers exact.
 */
export function readEvent<K extends EventKind>(kind: K, body: unknown, context: ReadContext): EventReading<K> {
  if (!isObject(body)) return { ok: false, errors: [notAnObject(body)] };
  const named = kind === 'bonus' ? withReferences(body, context.reference_prefix) : body;
  const reading = newReading(named, context, context.trusted === true);
  const event = messages[kind].read(named, reading);
  if (reading.errors !== undefined) return { ok: false, errors: withLikeness(kind, named, context, reading.errors) };
  // TypeScript does not follow K through the table; messages[kind] reads events of this kind.
  return {
    ok: true,
    event: event as EventOf<K>,
    flags: reading.flags ?? noFlags,
    remarks: reading.remarks ?? noRemarks,
  };
}

function newReading(body: JsonObject, context: ReadContext, looksForLikeness: boolean): Reading {
  return new Reading(body, {
    now: context.now,
    zone: context.zoneless_timestamps,
    baseCurrency: context.base_currency,
    trusted: context.trusted === true,
    looksForLikeness,
  });
}

/**
 * Adds unknown fields that look like known ones to a refusal. A misspelled field is often the reason why another one is
 * missing.
 */
function withLikeness(kind: EventKind, body: JsonObject, context: ReadContext, errors: FieldError[]): FieldError[] {
  const again = newReading(body, context, true);
  messages[kind].read(body, again);
  const alike = again.remarks?.filter(({ rule }) => rule === 'unknown_field') ?? [];
  return [...errors, ...alike].slice(0, maxErrors);
}

/**
 * With `Acme` as the prefix, `acme_references` is read as `crm_references`. If both are sent, `crm_references` is used
 * (docs/reference/decisions.md 6).
 */
function withReferences(body: JsonObject, prefix = 'Crm'): JsonObject {
  if (!isAbsentReference(body.crm_references)) return body;
  const name = [`${prefix.toLowerCase()}_references`, `${prefix}_references`].find(
    (one) => !isAbsentReference(body[one]),
  );
  if (name === undefined) return body;
  const { [name]: references, ...rest } = body;
  const named = { ...rest, crm_references: references };
  copyMarks(body, named);
  return named;
}

function isAbsentReference(references: unknown): boolean {
  return references === undefined || references === null;
}

function notAnObject(body: unknown): FieldError {
  return {
    path: '',
    rule: 'object',
    message: `The body must be a JSON object with the fields of the event; received ${show(body)}.`,
  };
}
