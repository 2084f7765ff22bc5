import type { FieldKind } from './value.ts';

/** What a rule can ask of a player, or of a fact. */
export interface Field {
  /** As rules write it: `trait.deposit_count_7d`, `profile.country`; of a fact: `vendor_id`. */
  readonly name: string;
  readonly kind: FieldKind;
  /** The words of the sentence: "deposits in the last 7 days". */
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

/** The fields that exist. A function rather than a list, because traits have 414 windows each. */
export interface Catalogue {
  field(name: string): Field | undefined;
  fact(name: string): FactKind | undefined;
}

/** @returns the fact that `did.<name>` counts. */
export function factNameOf(field: string): string {
  return field.slice('did.'.length);
}
