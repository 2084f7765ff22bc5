/** Reasons for which the gate or the rules of contact withhold or hold contacts. */
export const gateReasons = [
  'excluded',
  'blocked',
  'no_consent',
  'consent_unknown',
  'unknown_player',
  'expired_while_unknown',
  'update_pending',
  'unknown',
  'outdated',
  'too_old',
  'holdout',
  'frequency_cap',
  'policy_product_consent',
  'policy_mixed_products',
  'policy_wagering',
  'policy_wagering_unknown',
  'suppressed',
  'quiet_hours',
] as const;

/** The same for messages that need no address, such as those on the site. */
export const gateReasonsWithoutAddress = gateReasons.filter((reason) => reason !== 'suppressed');
