import type { Micros } from '@croupier/contracts';

/*
 * The terms of the gate (docs/reference/design.md 2.5, docs/reference/decisions.md 7).
 *
 *   contact request --mayContact--> allowed    : act now, in the same transaction or right after it
 *                                   withheld   : never; the reason is final for this contact
 *                                   held       : not enough is known; look-ups were requested, so ask again later
 */

/**
 * How a player is reached. `bonus` is a credit: money, not a message. `webhook` and `operator` pass a message to an
 * external system. If the brand's settings name a consent for them, the request uses that consent's channel
 * instead.
 */
export const channels = [
  'email',
  'sms',
  'telephone',
  'post_mail',
  'site',
  'push',
  'webhook',
  'operator',
  'bonus',
] as const;
export type Channel = (typeof channels)[number];

/**
 * docs/reference/decisions.md 7: marketing requires consent, no block and no exclusion. Service requires no exclusion. A bonus requires no
 * block and no exclusion.
 */
export const purposes = ['marketing', 'service', 'bonus'] as const;
export type Purpose = (typeof purposes)[number];

/** One contact with one player that is about to happen. */
export interface ContactRequest {
  brand_id: number;
  player_id: number;
  channel: Channel;
  purpose: Purpose;
  /** What requests the contact. It is stored with the decision, which links back to the cause. */
  cause: { kind: 'intent' | 'message' | 'run' | 'bulk' | 'check'; id: string };
  /**
   * After this time, the contact is useless: if the player's state is still unknown then, it is withheld. Null: no
   * limit.
   */
  expires_at: Micros | null;
  /**
   * For a contact without `expires_at`: how long the gate holds it at most. If the player's state is still unknown then, it is withheld. Default:
   * no limit.
   */
  mostHeld?: Micros;
  /**
   * The products of marketing that was ordered earlier, and the channel of its message. In markets that require consents for products, the
   * gate withholds the contact if one of them is missing now. Contacts with rules of contact do not set it.
   */
  about?: { channel: string; products: readonly string[] };
  /**
   * True for a message that a campaign or a bulk action ordered. It may have waited in a queue since then, so the gate holds it during the
   * quiet hours of its player. Contacts with rules of contact do not set it.
   */
  keepsQuietHours?: boolean;
  /** True if the address of the message is on the suppression list: the gate then withholds the contact, also if it would hold it. */
  isSuppressed?: boolean;
}

/** Why a contact may not happen, or not yet. */
export const withheldReasons = [
  'excluded',
  'blocked',
  'no_consent',
  /** It is unknown whether the consent was given. */
  'consent_unknown',
  /** The operator has no such player, or the player was erased. */
  'unknown_player',
  /** Consents, blocks or exclusions were unknown or too old until the contact expired. */
  'expired_while_unknown',
] as const;
export type WithheldReason = (typeof withheldReasons)[number];

/**
 * - update_pending: the operator sent an update of the player that was acknowledged and is not applied yet
 * - unknown: a look-up was never answered
 * - outdated: an update was applied, and the look-up that it requested is not answered yet
 * - too_old: a fact is older than `fact_age_hours`
 */
export const heldReasons = ['update_pending', 'unknown', 'outdated', 'too_old'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** Reasons from the rules of contact (packages/campaigns): why it may not happen, or not before `until`. */
export const rulingReasons = [
  'holdout',
  'frequency_cap',
  'policy_product_consent',
  'policy_mixed_products',
  'policy_wagering',
  'policy_wagering_unknown',
  /** The address is on the suppression list, when a message is sent. */
  'suppressed',
  /** Quiet hours hold a contact instead of withholding it. */
  'quiet_hours',
] as const;
export type RulingReason = (typeof rulingReasons)[number];

/** The answer of the rules of contact for a contact that the gate allows. It is recorded with the decision. */
export type Ruling = { inputs: Readonly<Record<string, unknown>> } & (
  | { outcome: 'allowed' }
  | { outcome: 'withheld'; reason: RulingReason }
  | { outcome: 'held'; reason: RulingReason; until: Micros }
);

/** @param outcomes the gate's outcome for each request @returns null if the rules of contact do not apply */
export type RulesOfContact = (outcomes: readonly Decision['outcome'][]) => readonly (Ruling | null)[];

export type Decision =
  | { decision_id: number; outcome: 'allowed' }
  | { decision_id: number; outcome: 'withheld'; reason: WithheldReason | RulingReason }
  /**
   * A refresh was requested. Held decisions are recorded once per cause, so `decision_id` does not change while the
   * contact is held. `until` is the time at which a rule of contact stops holding it; null if the gate holds it.
   */
  | {
      decision_id: number;
      outcome: 'held';
      reason: HeldReason | RulingReason;
      ask_again_ms: number;
      until: Micros | null;
    };
