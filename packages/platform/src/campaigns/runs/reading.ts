import type { Micros } from '@croupier/contracts';
import type { Catalogue } from '@croupier/rules';

/** When and by which fields the rules of a brand are read. */
export interface Reading {
  readonly at: Micros;
  /** Of the brand. */
  readonly zone: string;
  readonly catalogue: Catalogue;
}
