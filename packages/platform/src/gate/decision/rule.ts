import type { consentTypes } from '@croupier/contracts';
import type { Channel, Purpose } from '../request.ts';

/*
 * Which facts prevent a contact: the table of docs/reference/decisions.md 7. If you change it, or what decide.ts does
 * with it, increase `ruleVersion`: every decision record contains the rule version it was made with.
 */
export const ruleVersion = 3;

export interface PurposeRule {
  block: boolean;
  consent: boolean;
}

/** An exclusion prevents everything. */
export const purposeRules: Readonly<Record<Purpose, PurposeRule>> = {
  marketing: { block: true, consent: true },
  service: { block: false, consent: false },
  bonus: { block: true, consent: false },
};

/**
 * The consent that a channel requires. A credit is not a message, so it requires no consent. The interface has no consent
 * for a call to another system.
 */
export const consentOfChannel: Readonly<Record<Channel, (typeof consentTypes)[number] | null>> = {
  email: 'Email',
  sms: 'SMS',
  telephone: 'Telephone',
  post_mail: 'PostMail',
  site: 'SiteNotification',
  push: 'PushNotification',
  webhook: null,
  operator: null,
  bonus: null,
};

/** The consent that this contact requires; null if none. */
export function consentNeeded({ channel, purpose }: { channel: Channel; purpose: Purpose }) {
  return purposeRules[purpose].consent ? consentOfChannel[channel] : null;
}
