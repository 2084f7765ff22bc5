import type { consentTypes } from '@croupier/contracts';
import type { Channel, Purpose } from '../request.ts';

/*
 * Which facts stand in the way of a contact: the table of docs/reference/decisions.md 7. Whoever changes it, or what decide.ts makes of it,
 * counts `ruleVersion` up: every decision record says by which rule it was made.
 */
export const ruleVersion = 3;

export interface PurposeRule {
  block: boolean;
  consent: boolean;
}

/** An exclusion stands in the way of everything. */
export const purposeRules: Readonly<Record<Purpose, PurposeRule>> = {
  marketing: { block: true, consent: true },
  service: { block: false, consent: false },
  bonus: { block: true, consent: false },
};

/** The consent that a channel needs. A credit is no message, so nobody opts in to it; the interface has no consent for a call to another system. */
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

/** The consent that this contact needs; null: none. */
export function consentNeeded({ channel, purpose }: { channel: Channel; purpose: Purpose }) {
  return purposeRules[purpose].consent ? consentOfChannel[channel] : null;
}
