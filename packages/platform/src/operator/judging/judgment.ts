import type { Micros, UserDetails } from '@croupier/contracts';
import type { CallFailure, JsonObject } from '../calling/index.ts';

/** What the platform requests from an operator about a player: GET /userdetails, /userconsents, /userblocks. */
export const lookUps = ['details', 'consents', 'blocks'] as const;
export type LookUp = (typeof lookUps)[number];

/** Why an answer gives no information about the player. */
export const answerFailures = [
  /** 401 after one renewal, or 403. */
  'unauthorized',
  'rate_limited',
  'server_error',
  /** 3xx: redirects are not followed (docs/reference/decisions.md 4). */
  'redirected',
  /** Any other 4xx. */
  'rejected',
  /** 200, but not JSON. */
  'not_json',
  /** 200 with the record of another player. */
  'other_player',
  /** 200 with a record and a sign of failure beside it: `error`, `errors`, `success: false`. */
  'error_in_answer',
  /** A good answer that the database refused. This is a bug of the platform; it is listed and does not affect other players. */
  'unstorable',
] as const;
export type AnswerFailure = (typeof answerFailures)[number];

export type LookUpFailure = CallFailure | AnswerFailure | 'unknown_player';

/**
 * A part of a good answer that could not be used, or only with a doubt. It is listed until an answer arrives without this
 * problem.
 */
export interface FieldProblem {
  /** `email`, `consents[2].opted_in`. */
  path: string;
  reason:
    | 'missing'
    | 'wrong_type'
    | 'bad_format'
    | 'damaged_text'
    | 'too_large'
    | 'unknown_code'
    | 'unknown_type'
    | 'repeated_type';
  /** What was received and how it was handled, in one sentence. Never contains the value of a personal field. */
  message: string;
}

/** The verdict on one answer. `unknown_player` is 404, or 200 without the record (docs/reference/decisions.md 4). */
export type Judgment<R> =
  | { verdict: 'record'; record: R; problems: FieldProblem[] }
  | { verdict: 'unknown_player'; detail: string }
  | { verdict: 'failed'; failure: LookUpFailure; detail: string; retry_after_ms?: number | undefined };

/** The player that an answer is about, and how its timestamps without a zone are read. */
export interface Asked {
  user_id: string;
  /** Brand setting zoneless_timestamps. */
  zone: string;
}

type OtherField =
  | 'user_id'
  | 'segmentation'
  | 'is_blocked'
  | 'is_excluded'
  | 'roles'
  | 'verified_at'
  | 'registration_date';
/** The text fields of the user details record. */
export type TextField = Exclude<keyof UserDetails, OtherField>;

/** The fields of the user details record, except `user_id` and `segmentation`. */
export type ProfileFields = Record<TextField, string | null> & {
  is_blocked: boolean | null;
  is_excluded: boolean | null;
  roles: string[] | null;
  verified_at: Micros | null;
  registration_date: Micros | null;
};
export type ProfileField = keyof ProfileFields;

/** A judged user details record. */
export interface DetailsRecord {
  /**
   * The usable fields. A missing optional field is null. An unusable field is not included, and keeps its old value.
   */
  fields: Partial<ProfileFields>;
  unusable: ProfileField[];
  /**
   * A flag that is not a boolean counts as true for the gate (docs/reference/decisions.md 7), even if its old value was
   * false.
   */
  blocked_in_doubt: boolean;
  excluded_in_doubt: boolean;
  /** undefined if unusable; the old values are kept. */
  segmentation: JsonObject | undefined;
  extra: JsonObject | undefined;
}

export interface TypedItem {
  /** In lower case, for comparisons (docs/reference/decisions.md 4). */
  type_key: string;
  /** The interface's spelling, or the operator's if the interface does not know the type. */
  type: string;
  spelling: string;
}

export interface JudgedConsent extends TypedItem {
  /** null if the answer was neither true nor false; counts as not given. */
  opted_in: boolean | null;
}

export interface JudgedBlock extends TypedItem {
  /** null if the answer was neither true nor false; counts as in force. */
  active: boolean | null;
  note: string | null;
}

/** A judged consents record with at most one item per type. A type without an item is unknown (docs/reference/decisions.md 7). */
export interface ConsentsRecord {
  consents: JudgedConsent[];
}

/**
 * A judged blocks record with at most one item per type. A type without an item is not in force, unless an item could not be
 * read, which might have been of this type (docs/decisions/0402-absent-block-types.md).
 */
export interface BlocksRecord {
  blocks: JudgedBlock[];
  unreadable_items: boolean;
}
