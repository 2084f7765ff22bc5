import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type { FieldError } from '../field-error.ts';
import type { Flag } from '../flags.ts';
import { marksOf, type NumberMarks } from '../numbers/number-marks.ts';
import { type Rule, ruleMeanings } from '../rules.ts';
import type { Micros } from '../values.ts';

/**
 * A field is one definition in two forms, which must never diverge. The schema is published: in OpenAPI, as the type of
 * what a sender writes, and as the compiled validator. The reader converts what operators really send to the normalized
 * form that the platform uses.
 *
 * The schema states what senders should send. The reader accepts everything that the schema accepts, which a property
 * test checks (`read-event.prop.test.ts`). It also accepts more: ids as numbers, any letter case in sets, decimals as
 * text, null or blank for absent (docs/reference/decisions.md 1).
 */
export interface Field<T, S extends TSchema = TSchema> {
  readonly schema: S;
  /** What a sender should do if the field is missing or invalid. It completes "send ...". */
  readonly fix: string;
  readonly presence: 'required' | 'optional';
  /** True if a blank text is a valid value, as for plain labels. Otherwise a blank text counts as absent. */
  readonly blankIsValue?: boolean;
  /** True if an invalid value is left out and flagged. Only fields made by `informational` have it. */
  readonly isInformational?: boolean;
  /** The fields of a record, or of the entries of a list. */
  readonly inner?: Fields;
  /** The value if the field is absent. Only fields made by `withDefault` have it. */
  readonly fallback?: T;
  /**
   * Reads a value that exists (neither undefined nor null). To refuse the value, it reports the reason through
   * `reading.refuse` and returns `undefined`. It never throws.
   */
  readonly read: (value: unknown, reading: Reading, name: string) => T | undefined;
}

export type OptionalField<T, S extends TSchema = TSchema> = Field<T, S> & { readonly presence: 'optional' };
export type DefaultedField<T, S extends TSchema = TSchema> = OptionalField<T, S> & { readonly fallback: T };

/** The fields of one object, in the order of publication. */
export type Fields = Record<string, Field<unknown>>;

/** The context of the readers of one event. It also collects refusals and flags. */
export class Reading {
  readonly now: Micros;
  readonly zone: string;
  readonly baseCurrency: string;
  /** True if the event is already in the ledger. Then rules about arrival are not applied again. */
  readonly trusted: boolean;
  /** The places where the body had a number that is now a text and cannot be an id; undefined for nearly all bodies. */
  readonly numbers: NumberMarks | undefined;
  /**
   * True if unknown fields are compared with the known ones. On arrival it is false at first. If the event is refused,
   * the event is read again with true.
   */
  readonly looksForLikeness: boolean;
  /** The object being read. */
  holder: object;
  /** Path of the object being read, ending in a dot unless empty: `tickets[0].` */
  prefix = '';
  errors: FieldError[] | undefined;
  flags: Flag[] | undefined;
  /** The single fields that flags refer to, if they refer to single fields. */
  remarks: FieldError[] | undefined;

  constructor(
    body: object,
    context: { now: Micros; zone: string; baseCurrency: string; trusted: boolean; looksForLikeness: boolean },
  ) {
    this.now = context.now;
    this.zone = context.zone;
    this.baseCurrency = context.baseCurrency;
    this.trusted = context.trusted;
    this.looksForLikeness = context.looksForLikeness;
    this.numbers = marksOf(body);
    this.holder = body;
  }

  /** Adds one refusal. The field's path and `says` together form a sentence: "must be ...; send ...". */
  refuse(name: string, rule: Rule, says: string): undefined {
    const path = this.prefix + name;
    this.errors ??= [];
    if (this.errors.length < maxErrors) this.errors.push({ path, rule, message: `${path} ${says}` });
    return undefined;
  }

  /** Flags a single field of an event that is still accepted. */
  remark(flag: Flag, remark: FieldError): void {
    this.flag(flag);
    this.remarks ??= [];
    if (this.remarks.length < maxRemarks) this.remarks.push(remark);
  }

  /** Keeps only the first `before` refusals. The value that caused the others is left out, and the event counts without it. */
  leaveOut(before: number): void {
    const [first] = this.errors?.splice(before) ?? [];
    if (this.errors?.length === 0) this.errors = undefined;
    if (first === undefined) return;
    const { path, rule } = first;
    // The value is not included, because people who may not see personal data read remarks.
    this.remark('field_left_out', { path, rule, message: `${path} was ignored. ${ruleMeanings[rule as Rule]}` });
  }

  flag(flag: Flag): void {
    if (this.flags === undefined) this.flags = [flag];
    else if (!this.flags.includes(flag)) this.flags.push(flag);
  }
}

/** A body of 1 MiB can contain 100,000 invalid list entries. The answer lists the first ones and stays small. */
export const maxErrors = 20;
/** Maximum number of remarks about one event. More of them add no information. */
const maxRemarks = 20;

export function optional<T, S extends TSchema>(field: Field<T, S>): OptionalField<T, S> {
  return { ...field, schema: optionalSchema(field.schema), presence: 'optional', blankIsValue: false };
}

/**
 * An optional field that carries neither identity, money, status nor time. If its form is invalid, the field is left
 * out and flagged, and the event counts (docs/reference/decisions.md 1). `events/optional-fields.ts` classifies every
 * optional field.
 */
export function informational<T, S extends TSchema>(field: Field<T, S>): OptionalField<T, S> {
  return {
    ...optional(field),
    isInformational: true,
    read(value, reading, name) {
      const before = reading.errors?.length ?? 0;
      const prefix = reading.prefix;
      const read = field.read(value, reading, name);
      if ((reading.errors?.length ?? 0) === before) return read;
      reading.prefix = prefix;
      reading.leaveOut(before);
      return undefined;
    },
  };
}

/** A blank text counts as absent, so an optional field may be blank even if a required one may not. */
function optionalSchema<S extends TSchema>(schema: S): S {
  const published = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'minLength'));
  // TypeBox marks the schema as optional in its object. The type of the value itself stays S; its presence is separate.
  return Type.Optional(published) as unknown as S;
}

/**
 * An optional field with a default. A casino event without `status`, for example, is Approved
 * (docs/reference/decisions.md 1, "Closed sets").
 */
export function withDefault<T, S extends TSchema>(field: Field<T, S>, fallback: T): DefaultedField<T, S> {
  return { ...optional(field), fallback };
}

/** The type that the reader of a field returns. */
export type ReadOf<F> = F extends Field<infer T> ? T : never;

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { fallback: unknown } ? never : F[K] extends { presence: 'optional' } ? K : never;
}[keyof F];

/** The type of an object with these fields after reading; an absent optional field is undefined. */
export type ReadOfFields<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: ReadOf<F[K]>;
} & { [K in OptionalKeys<F>]?: ReadOf<F[K]> };

type UnsentKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { presence: 'optional' } ? K : never;
}[keyof F];

/** What a sender writes according to the published schema. */
export type WireOfFields<F extends Fields> = {
  [K in Exclude<keyof F, UnsentKeys<F>>]: Static<F[K]['schema']>;
} & { [K in UnsentKeys<F>]?: Static<F[K]['schema']> };
