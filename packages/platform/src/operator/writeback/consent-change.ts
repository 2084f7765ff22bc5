import type { consentTypes, Micros } from '@croupier/contracts';

/**
 * A change of consents by a player or a member of staff, which the operator has to store (docs/reference/interface.md,
 * Endpoints A, rule 3).
 */
export interface ConsentChange {
  brand_id: number;
  player_id: number;
  /** Only the types that change (docs/reference/decisions.md 4). */
  changes: readonly { type: (typeof consentTypes)[number]; opted_in: boolean }[];
  /** The reason, if a person gave one. */
  note?: string;
  source: 'unsubscribe' | 'site' | 'staff';
  /** When the player clicked. A withdrawal counts from this time. */
  at: Micros;
}
