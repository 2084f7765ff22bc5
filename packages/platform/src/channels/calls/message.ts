import type { MessageTerms } from '../channel.ts';
import type { EmailState } from '../email/message.ts';

/*
 * One message that is sent by a call over HTTP: an SMS, a webhook, or a message by the operator's own channel. It has the same
 * states as an e-mail (../email/message.ts).
 *
 *   repeatable    the receiver recognizes a message by its id, so a call with an unknown outcome is made again: webhooks, the
 *                 operator's channel, an SMS provider that accepts a key
 *   at most once  everything else: such a message is unknown, and not sent again (docs/decisions/1270)
 */
export const callChannels = ['sms', 'webhook', 'operator'] as const;
export type CallChannel = (typeof callChannels)[number];
export type CallState = EmailState;

/** Why it was not sent. The gate's own reasons (excluded, no_consent, ...) are also possible. */
export const callDropReasons = [
  'expired',
  /** It expired because more messages were due than the rate of the provider allows. */
  'provider_rate',
  'recalled',
  'campaign_recalled',
  /** The campaign that ordered it was stopped. */
  'campaign_stopped',
  /** The bulk action that ordered it was cancelled. */
  'bulk_cancelled',
  /** The operator's details have no mobile number, or an invalid one. */
  'no_number',
  'bad_number',
  /** The number accepts no SMS, or staff added it to the list. */
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
  /** JSON. Empty means the default body. */
  body: string;
  template: MadeFrom;
}

export interface OperatorContent {
  title: string;
  text: string;
  /** A JSON object, passed on unchanged. */
  data: string;
  template: MadeFrom;
}

export interface CallContents {
  sms: SmsContent;
  webhook: WebhookContent;
  operator: OperatorContent;
}

export type NewCall<C extends CallChannel = CallChannel> = { [K in C]: MessageTerms & CallContents[K] }[C];
