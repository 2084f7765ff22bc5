import type { MessageTerms } from '../channel.ts';
import type { EmailContent } from '../templates/index.ts';

/*
 * The states of one e-mail:
 *
 *                          .------ retry -------.
 *                          v                    |
 *   requested --gate--> waiting --gate again--> sending --answer--> sent
 *       |                  |                      |  |
 *       |                  |                      |  '-- refused for good --> failed
 *       |                  |                      '-- outcome not known ----> unknown
 *       |                  '-- not allowed, not wanted, too late -----------> dropped
 *       '--gate--> withheld
 *
 * An e-mail is sent at most once (docs/decisions/1261). If a server received its first byte and then did not answer, the outcome is
 * unknown, and the e-mail is not sent again.
 */
export const emailStates = ['waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed'] as const;
export type EmailState = (typeof emailStates)[number];

/** Why it was not sent. The gate's own reasons (excluded, no_consent, ...) are also possible. */
export const emailDropReasons = [
  'expired',
  /** It expired because more e-mails were due than the rate of the server allows. */
  'provider_rate',
  'recalled',
  'campaign_recalled',
  /** The campaign that ordered it was stopped. */
  'campaign_stopped',
  /** The bulk action that ordered it was cancelled. */
  'bulk_cancelled',
  /** The operator's details have no address, or an invalid one. */
  'no_address',
  'bad_address',
  /** The address bounced or complained, or staff added it to the list. */
  'suppressed',
  /** The player was erased. */
  'erased',
] as const;
export type EmailDropReason = (typeof emailDropReasons)[number];

/** The content of an e-mail, and the template from which it was rendered. */
export interface EmailMessage extends EmailContent {
  template: { code: string; version: number; language: string } | null;
}

export type NewEmail = MessageTerms & EmailMessage;
