import type { DecimalText, Micros } from '@croupier/contracts';

/**
 * The kind of a field's values. It determines which operators apply.
 *
 * | Kind | Value of a player | Value in a rule |
 * |---|---|---|
 * | number | number or decimal text | number or decimal text |
 * | text | text | text |
 * | moment | microseconds since 1970 | RFC 3339 with an offset, or YYYY-MM-DD: the start of that day of the brand |
 * | date | YYYY-MM-DD | YYYY-MM-DD |
 * | status | 'true', 'false' or 'unknown' | true, false or "unknown" |
 * | flag | boolean | boolean |
 * | list | texts | text |
 */
export const fieldKinds = ['number', 'text', 'moment', 'date', 'status', 'flag', 'list'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** A value of a player. null: there is none, for example the date of a deposit that never happened. */
export type Value = number | DecimalText | Micros | boolean | readonly string[] | null;

/** When and where a rule is evaluated: "today" is a day of the brand's zone. */
export interface Reading {
  readonly at: Micros;
  /** IANA name, such as Europe/Malta. */
  readonly zone: string;
}
