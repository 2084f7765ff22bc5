import type { TObject } from 'typebox';
import type { Fields, Reading, ReadOfFields, WireOfFields } from '../fields/field.ts';
import { fieldsReader, fieldsSchema } from '../fields/record.ts';
import type { EventKind } from '../kinds.ts';

/** One kind of event: its fields, from which schema, reader and types all follow, and bodies that show it. */
export interface Message<K extends EventKind = EventKind, F extends Fields = Fields> {
  readonly kind: K;
  readonly fields: F;
  readonly schema: TObject;
  /** Complete bodies that every server of this interface answers with 200; the first is the one shown everywhere. */
  readonly samples: Readonly<Record<string, WireOfFields<F>>>;
  /** Fills `result` with what the body says; refusals and flags are left in `reading`. */
  readonly read: (body: { [key: string]: unknown }, reading: Reading, result: { [key: string]: unknown }) => void;
}

/** The event as the platform works with it: discriminated by `kind`, times as Micros, money as DecimalText. */
export type EventOfMessage<M> = M extends Message<infer K, infer F> ? { kind: K } & ReadOfFields<F> : never;
export type BodyOfMessage<M> = M extends Message<EventKind, infer F> ? WireOfFields<F> : never;

interface MessageParts<K extends EventKind, F extends Fields> {
  kind: K;
  fields: F;
  samples: Readonly<Record<string, WireOfFields<F>>>;
  /** Rules that look at several fields; runs after all fields, only if none was refused. */
  across?: (event: ReadOfFields<F>, reading: Reading) => void;
}

export function message<K extends EventKind, const F extends Fields>(parts: MessageParts<K, F>): Message<K, F> {
  const readFields = fieldsReader(parts.fields);
  return {
    kind: parts.kind,
    fields: parts.fields,
    schema: fieldsSchema(parts.fields),
    samples: parts.samples,
    read(body, reading, result) {
      readFields(body, reading, result);
      // Without a refusal every required field is there, which is what the type says.
      if (reading.errors === undefined) parts.across?.(result as ReadOfFields<F>, reading);
    },
  };
}
