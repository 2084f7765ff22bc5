import type { Micros } from '@croupier/contracts';
import type { JsonObject } from '../../calling/index.ts';
import type { ProfileField, ProfileFields } from '../../judging/index.ts';
import type { FactSource } from '../../protection/index.ts';

/** A row of player_profile. */
export interface ProfileRow extends ProfileFields {
  player_id: number;
  segmentation: JsonObject;
  extra: JsonObject;
  /** Fields that were unusable in the last answer, each with the time of the last answer in which it was usable. */
  older: Partial<Record<ProfileField, Micros>>;
  blocked_in_doubt: boolean;
  excluded_in_doubt: boolean;
  changed_at: Micros;
}

/** A row of player_consent. */
export interface ConsentRow {
  player_id: number;
  type_key: string;
  type: string;
  spelling: string;
  opted_in: boolean | null;
  in_doubt: boolean;
  /** True for a change that was made in the platform and that the operator has not confirmed. Look-ups keep it (own-changes.ts). */
  unconfirmed: boolean;
  source: FactSource;
  as_of: Micros;
}

/** A row of player_block. */
export interface BlockRow {
  player_id: number;
  type_key: string;
  type: string;
  spelling: string;
  active: boolean | null;
  in_doubt: boolean;
  /** True for a change that was made in the platform and that the operator has not confirmed, as for a consent. */
  unconfirmed: boolean;
  note: string | null;
  source: FactSource;
  as_of: Micros;
}

/** When an answer was requested, and the one before it: the time of the last established value. */
export interface AnswerTimes {
  asked_at: Micros;
  before: Micros | null;
}
