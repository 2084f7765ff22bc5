import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type { FieldError } from '../field-error.ts';
import type { Flag } from '../flags.ts';
import { marksOf, type NumberMarks } from '../numbers/number-marks.ts';
import { type Rule, ruleMeanings } from '../rules.ts';
import type { Micros } from '../values.ts';

/**
 * A field is one small idea in two forms that must never drift apart: the schema that is published (OpenAPI, the type of
 * what a sender writes, the compiled validator) and the reader that turns what operators really send into the one normal
 * form that the platform works with.
 *
 * The schema is what we ask for; the reader is what we take. The reader accepts everything the schema accepts and more:
 * ids as numbers, any letter case in sets, decimals as text, null or blank for absent (docs/reference/decisions.md 1). The property test
 * `events/published-is-accepted.prop.test.ts` keeps the first half of that sentence true.
 */
export interface Field<T, S extends TSchema = TSchema> {
  readonly schema: S;
  /** What a sender is told to do when the field is missing or wrong: completes "send ...". */
  readonly fix: string;
  readonly presence: 'required' | 'optional';
  /** Set where a blank text is a value of its own: plain labels. Elsewhere blank counts as absent. */
  readonly blankIsValue?: boolean;
  /** One of the wrong form is left out and flagged; only for fields made by `informational`. */
  readonly isInformational?: boolean;
  /** The fields of a record, or of the entries of a list. */
  readonly inner?: Fields;
  /** What stands when the field is absent; only for fields made by `withDefault`. */
  readonly fallback?: T;
  /**
   * Reads a value that is there (neither undefined nor null). Returns `undefined` when it is refused, after saying why
   * through `reading.refuse`. Never throws, whatever the value.
   */
  readonly read: (value: unknown, reading: Reading, name: string) => T | undefined;
}

export type OptionalField<T, S extends TSchema = TSchema> = Field<T, S> & { readonly presence: 'optional' };
export type DefaultedField<T, S extends TSchema = TSchema> = OptionalField<T, S> & { readonly fallback: T };

/** The fields of one object, in the order in which they are published. */
export type Fields = Record<string, Field<unknown>>;

/** What a reader sees of its surroundings, and where it leaves refusals and flags. One per event. */
export class Reading {
  readonly now: Micros;
  readonly zone: string;
  readonly baseCurrency: string;
  /** The event is in the ledger already: rules about arrival are not applied again. */
  readonly trusted: boolean;
  /** Where the body had numbers that are texts now, and could be no ids; undefined in nearly every body. */
  readonly numbers: NumberMarks | undefined;
  /** Whether unknown fields are compared with the known ones: not on the way of an event that is valid. */
  readonly looksForLikeness: boolean;
  /** The object being read. */
  holder: object;
  /** Path of the object being read, ending in a dot unless empty: `tickets[0].` */
  prefix = '';
  errors: FieldError[] | undefined;
  flags: Flag[] | undefined;
  /** What the flags are about, where they are about single fields. */
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

  /** Notes one refusal; `says` continues the field's path to a sentence: "must be ...; send ...". */
  refuse(name: string, rule: Rule, says: string): undefined {
    const path = this.prefix + name;
    this.errors ??= [];
    if (this.errors.length < maxErrors) this.errors.push({ path, rule, message: `${path} ${says}` });
    return undefined;
  }

  /** Flags a single field of an event that is accepted all the same. */
  remark(flag: Flag, remark: FieldError): void {
    this.flag(flag);
    this.remarks ??= [];
    if (this.remarks.length < maxRemarks) this.remarks.push(remark);
  }

  /** Takes refusals back: what was read since `before` refusals is left out of the event, which counts without it. */
  leaveOut(before: number): void {
    const [first] = this.errors?.splice(before) ?? [];
    if (this.errors?.length === 0) this.errors = undefined;
    if (first === undefined) return;
    const { path, rule } = first;
    // Not its value: people who may not see personal data read remarks.
    this.remark('field_left_out', { path, rule, message: `${path} was left out. ${ruleMeanings[rule as Rule]}` });
  }

  flag(flag: Flag): void {
    if (this.flags === undefined) this.flags = [flag];
    else if (!this.flags.includes(flag)) this.flags.push(flag);
  }
}

/** A body of 1 MiB can hold 100,000 wrong list entries; the answer names the first ones and stays small. */
export const maxErrors = 20;
/** Remarks about one event; more say nothing new. */
const maxRemarks = 20;

export function optional<T, S extends TSchema>(field: Field<T, S>): OptionalField<T, S> {
  return { ...field, schema: optionalSchema(field.schema), presence: 'optional', blankIsValue: false };
}

/**
 * An optional field that carries neither identity, money, status nor time: one of the wrong form is left out and flagged, and the event
 * counts (docs/reference/decisions.md 1). `events/optional-fields.ts` says of every optional field whether it is one.
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

/** A blank text counts as absent, so an optional field may be blank even where a required one may not. */
function optionalSchema<S extends TSchema>(schema: S): S {
  const published = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'minLength'));
  // TypeBox marks the schema as optional in its object; the type of the value itself stays S, presence tells the rest.
  return Type.Optional(published) as unknown as S;
}

/** An optional field whose absence means a value: casino `status` absent is Approved (docs/reference/decisions.md 1, "Closed sets"). */
export function withDefault<T, S extends TSchema>(field: Field<T, S>, fallback: T): DefaultedField<T, S> {
  return { ...optional(field), fallback };
}

/** What the reader of a field gives. */
export type ReadOf<F> = F extends Field<infer T> ? T : never;

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { fallback: unknown } ? never : F[K] extends { presence: 'optional' } ? K : never;
}[keyof F];

/** What reading an object with these fields gives; an absent optional field is undefined. */
export type ReadOfFields<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: ReadOf<F[K]>;
} & { [K in OptionalKeys<F>]?: ReadOf<F[K]> };

type UnsentKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { presence: 'optional' } ? K : never;
}[keyof F];

/** What a sender writes when it keeps to the published schema. */
export type WireOfFields<F extends Fields> = {
  [K in Exclude<keyof F, UnsentKeys<F>>]: Static<F[K]['schema']>;
} & { [K in UnsentKeys<F>]?: Static<F[K]['schema']> };
