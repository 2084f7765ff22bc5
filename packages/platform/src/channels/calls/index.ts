/** Public exports of messages by HTTP calls, a part of the channels; see README.md. */
export { type CallFilter, type ListedCall, listCalls, readCall } from './listing.ts';
export {
  type CallChannel,
  type CallState,
  callChannels,
  type OperatorContent,
  type SmsContent,
  type WebhookContent,
} from './message.ts';
export { CallPlaces } from './places.ts';
export { CallSender, type CallSenderOptions } from './sender.ts';
export { isSignedCall } from './sign.ts';
export { mobileNumber } from './sms/number.ts';
export { beyondGsm, countParts, type SmsParts } from './sms/parts.ts';
export {
  playersOfNumber,
  playersOfTypedNumber,
  playersOfTypedNumbers,
  reversedDigits,
  reversedEndOf,
} from './sms/players-of-number.ts';
export { type SmsTracking, sentSms } from './sms/sent-text.ts';
export { callTransport } from './transport.ts';
