import type { Micros } from '@croupier/contracts';
import type { LookUp } from '../judging/index.ts';
import type { FactSource } from './source.ts';

/** Everything known about the protection of one player, as stored at one moment. */
export interface ProtectionFacts {
  player_id: number;
  brand_id: number;
  /** Flags of the details record. Null if no look-up has succeeded. */
  details: DetailsFlags | null;
  /** From the details record. */
  market: string | null;
  country: string | null;
  /** The time zone that the operator sends with the details; it is no field of the interface. */
  zone: string | null;
  blocks: readonly BlockFact[];
  consents: readonly ConsentFact[];
  look_ups: Partial<Record<LookUp, LookUpKnowledge>>;
}

export interface DetailsFlags {
  is_excluded: boolean | null;
  excluded_in_doubt: boolean;
  is_blocked: boolean | null;
  blocked_in_doubt: boolean;
}

interface TypedFact {
  /** The type in lower case. */
  type_key: string;
  type: string;
  in_doubt: boolean;
  /** True for a change that was made in the platform and that the operator has not confirmed. Look-ups do not change it. */
  unconfirmed: boolean;
  source: FactSource;
  as_of: Micros;
}
export type BlockFact = TypedFact & { active: boolean | null };
export type ConsentFact = TypedFact & { opted_in: boolean | null };

/** How current a look-up is, and whether it is known to be outdated. */
export interface LookUpKnowledge {
  /** When the last good answer was requested. Null if there is none. */
  as_of: Micros | null;
  /** The operator reported a change, and the look-up of this change is not answered yet. */
  outdated: boolean;
  /** A look-up was requested and is not answered yet. It may be waiting for its next try. */
  owed: boolean;
  /** A look-up is due immediately, or open, so another request has no use. */
  coming: boolean;
  /** The operator does not know the player. */
  parked: boolean;
  /** Why the last look-up failed; null if it succeeded, or none was made. */
  failure: string | null;
}
