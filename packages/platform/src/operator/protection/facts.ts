import type { Micros } from '@croupier/contracts';
import type { LookUp } from '../calling/index.ts';
import type { FactSource } from './source.ts';

/** Everything that is known of what protects one player, as it stands in the tables at one moment. */
export interface ProtectionFacts {
  player_id: number;
  brand_id: number;
  /** Flags of the details record. Null: never successfully looked up. */
  details: DetailsFlags | null;
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
  /** A change made here that the operator's books have not confirmed: look-ups leave it as it is. */
  unconfirmed: boolean;
  source: FactSource;
  as_of: Micros;
}
export type BlockFact = TypedFact & { active: boolean | null };
export type ConsentFact = TypedFact & { opted_in: boolean | null };

/** What a look-up knows, and whether it knows that it is behind. */
export interface LookUpKnowledge {
  /** When the last good answer was asked for. Null: there is none. */
  as_of: Micros | null;
  /** The operator said that something changed, and the answer to that is not here yet. */
  outdated: boolean;
  /** A look-up was asked for and is not answered yet; it may be waiting for its next try. */
  owed: boolean;
  /** One is due at once, or under way: asking again would gain nothing. */
  coming: boolean;
  /** The operator does not know the player. */
  parked: boolean;
  /** Why the last look-up brought nothing; null when it did, or none was made. */
  failure: string | null;
}
