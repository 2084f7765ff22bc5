import type { Micros } from '@croupier/contracts';

/*
 * The words of the gate (docs/reference/design.md 2.5, docs/reference/decisions.md 7).
 *
 *   contact request --mayContact--> allowed    : act now, in the same transaction or right after it
 *                                   withheld   : never; the reason is final for this contact
 *                                   held       : not known well enough; a refresh is under way, ask again
 */

/**
 * Ways in which a player is reached. `bonus` is a credit: money, no message. `webhook` and `operator` hand a message to somebody else's
 * system; where the brand says that one of the consents stands behind them, the gate is asked for that consent's channel in their place.
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

/** docs/reference/decisions.md 7: marketing needs consent and neither block nor exclusion; service no exclusion; bonus no block and no exclusion. */
export const purposes = ['marketing', 'service', 'bonus'] as const;
export type Purpose = (typeof purposes)[number];

/** One contact with one player, about to happen. */
export interface ContactRequest {
  brand_id: number;
  player_id: number;
  channel: Channel;
  purpose: Purpose;
  /** What asks: kept with the decision, and with it the way back to the cause. */
  cause: { kind: 'intent' | 'message' | 'run' | 'bulk' | 'check'; id: string };
  /** After this moment the contact is worth nothing: a player still unknown then is withheld. Null: no limit. */
  expires_at: Micros | null;
}

/** Why a contact may not happen, or not yet. */
export const withheldReasons = [
  'excluded',
  'blocked',
  'no_consent',
  /** Nobody knows whether the consent was given. */
  'consent_unknown',
  /** The operator has no such player, or the player was erased. */
  'unknown_player',
  /** Consents, blocks or exclusions were unknown or too old until the contact had expired. */
  'expired_while_unknown',
] as const;
export type WithheldReason = (typeof withheldReasons)[number];

/**
 * - update_pending: the operator sent an update of the player that was acknowledged and is not applied yet
 * - unknown: a look-up was never answered
 * - outdated: an update was applied, and the look-up that it asked for is not answered yet
 * - too_old: a fact is past `fact_age_hours`
 */
export const heldReasons = ['update_pending', 'unknown', 'outdated', 'too_old'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** What the rules of contact say beyond the gate (packages/campaigns): why it may not happen, or not before `until`. */
export const rulingReasons = [
  'holdout',
  'frequency_cap',
  'policy_product_consent',
  'policy_mixed_products',
  'policy_wagering',
  /** Held, not withheld. */
  'quiet_hours',
] as const;
export type RulingReason = (typeof rulingReasons)[number];

/** What the rules of contact say to a contact that the gate allows. It is recorded with the decision. */
export type Ruling = { inputs: Readonly<Record<string, unknown>> } & (
  | { outcome: 'allowed' }
  | { outcome: 'withheld'; reason: RulingReason }
  | { outcome: 'held'; reason: RulingReason; until: Micros }
);

/** @param outcomes what the gate says to each request. @returns null: no rule of contact is asked */
export type RulesOfContact = (outcomes: readonly Decision['outcome'][]) => readonly (Ruling | null)[];

export type Decision =
  | { decision_id: number; outcome: 'allowed' }
  | { decision_id: number; outcome: 'withheld'; reason: WithheldReason | RulingReason }
  /** A refresh was asked for. Held decisions are recorded once per cause, so `decision_id` stays the same while it is held. */
  | { decision_id: number; outcome: 'held'; reason: HeldReason | RulingReason; ask_again_ms: number };
