import type { Micros } from '@croupier/contracts';
import type { Catalog } from '@croupier/rules';

/** The time and the fields with which the rules of a brand are read. */
export interface Reading {
  readonly at: Micros;
  /** The brand's time zone. */
  readonly zone: string;
  readonly catalog: Catalog;
}
