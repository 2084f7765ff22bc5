import type { FieldKind } from './value.ts';

/** A value of a player, or of a fact, that rules can use. */
export interface Field {
  /** The name in rules: `trait.deposit_count_7d`, `profile.country`; of a fact: `vendor_id`. */
  readonly name: string;
  readonly kind: FieldKind;
  /** The words for the field in the sentence of a rule: "deposits in the last 7 days". */
  readonly title: string;
  /** For numbers: "EUR", "days". */
  readonly unit?: string;
}

/** A kind of fact that `did.<name>` counts. */
export interface FactKind {
  readonly name: string;
  /** "deposits and withdrawals", for the sentence. */
  readonly title: string;
  readonly fields: readonly Field[];
}

/** The fields that exist. It is a function instead of a list, because each trait has 414 windows. */
export interface Catalog {
  field(name: string): Field | undefined;
  fact(name: string): FactKind | undefined;
}

/** @returns the fact that `did.<name>` counts */
export function factNameOf(field: string): string {
  return field.slice('did.'.length);
}
