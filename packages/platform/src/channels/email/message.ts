import type { Micros } from '@croupier/contracts';
import type { MessageTerms } from '../channel.ts';
import type { EmailContent } from '../templates/index.ts';

/*
 * One e-mail on its way:
 *
 *                          .------ retry -------.
 *                          v                    |
 *   asked for --gate--> waiting --gate again--> sending --answer--> sent
 *       |                  |                      |  |
 *       |                  |                      |  '-- refused for good --> failed
 *       |                  |                      '----- nobody knows ------> unknown
 *       |                  '-- not allowed, not wanted, too late -----------> dropped
 *       '--gate--> withheld
 *
 * An e-mail goes out at most once (docs/decisions/1261). A server that got its first byte and then said nothing leaves it unknown, and
 * it is not sent again.
 */
export const emailStates = ['waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed'] as const;
export type EmailState = (typeof emailStates)[number];

/** Why it was not sent. The gate's own reasons (excluded, no_consent, ...) come beside them. */
export const emailDropReasons = [
  'expired',
  'recalled',
  'campaign_recalled',
  /** The operator's details have no address, or one that nothing can be sent to. */
  'no_address',
  'bad_address',
  /** The address bounced or complained, or staff put it on the list. */
  'suppressed',
  /** The player was erased. */
  'erased',
] as const;
export type EmailDropReason = (typeof emailDropReasons)[number];

/** What an e-mail says, and the template that it was made from. */
export interface EmailMessage extends EmailContent {
  template: { code: string; version: number; language: string } | null;
}

export type NewEmail = MessageTerms & EmailMessage;

/** So long an e-mail waits to be sent where its sender says nothing else: news of last week are none. */
export const emailLife: Micros = 3 * 24 * 3_600_000_000;
