import type { MessageTerms } from '../channel.ts';
import type { EmailState } from '../email/message.ts';

/*
 * One message that goes out by a call over HTTP: an SMS, a webhook, or a message by the operator's own channel. Its way is that of an
 * e-mail (../email/message.ts), with the same states.
 *
 *   repeatable    the receiver knows a message by its id, so that a call of which nobody knows what came is made again: webhooks, the
 *                 operator's channel, an SMS provider that takes a key
 *   at most once  everything else: such a message is unknown, and not sent again (docs/decisions/1270)
 */
export const callChannels = ['sms', 'webhook', 'operator'] as const;
export type CallChannel = (typeof callChannels)[number];
export type CallState = EmailState;

/** Why it was not sent. The gate's own reasons (excluded, no_consent, ...) come beside them. */
export const callDropReasons = [
  'expired',
  'recalled',
  'campaign_recalled',
  /** The operator's details have no mobile number, or one that is none. */
  'no_number',
  'bad_number',
  /** The number takes no SMS, or staff put it on the list. */
  'suppressed',
  /** The player was erased. */
  'erased',
] as const;
export type CallDropReason = (typeof callDropReasons)[number];

/** The template that a message was made from. */
export type MadeFrom = { code: string; version: number; language: string } | null;

export interface SmsContent {
  text: string;
  template: MadeFrom;
}

export interface WebhookContent {
  url: string;
  /** JSON. Empty: the default one. */
  body: string;
  template: MadeFrom;
}

export interface OperatorContent {
  title: string;
  text: string;
  /** JSON object, passed on. */
  data: string;
  template: MadeFrom;
}

export interface CallContents {
  sms: SmsContent;
  webhook: WebhookContent;
  operator: OperatorContent;
}

export type NewCall<C extends CallChannel = CallChannel> = { [K in C]: MessageTerms & CallContents[K] }[C];
