import type { consentTypes, Micros } from '@croupier/contracts';

/** A player's, or a member of staff's, change of consents that the operator has to store (docs/reference/interface.md, Endpoints A, rule 3). */
export interface ConsentChange {
  brand_id: number;
  player_id: number;
  /** The types that change, and no others (docs/reference/decisions.md 4). */
  changes: readonly { type: (typeof consentTypes)[number]; opted_in: boolean }[];
  /** Why, where a person said so. */
  note?: string;
  source: 'unsubscribe' | 'site' | 'staff';
  /** When the player clicked. A withdrawal counts from here on. */
  at: Micros;
}
