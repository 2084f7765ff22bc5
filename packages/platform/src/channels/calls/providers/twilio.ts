import type { TwilioSettings } from '../../settings/settings.ts';
import type { CallOutcome } from '../judge.ts';
import type { ProviderCall } from './provider.ts';

/**
 * Twilio, Programmable Messaging: POST /2010-04-01/Accounts/{sid}/Messages.json, a form, HTTP Basic. It answers 201 with the
 * `sid` of the message. The call has no idempotency key, so a call that may have been accepted is not repeated.
 */
export function twilioCall(
  { account_sid, key_sid, auth_token, from, messaging_service_sid, api_url, delivery_reports }: TwilioSettings,
  { to, text, report_url }: { to: string; text: string; report_url: string },
): ProviderCall {
  const form = new URLSearchParams({ To: to, Body: text });
  if (messaging_service_sid !== undefined) form.set('MessagingServiceSid', messaging_service_sid);
  else form.set('From', from ?? '');
  // Twilio refuses an SMS whose callback is not a public address.
  if (delivery_reports !== false && report_url.startsWith('https:')) form.set('StatusCallback', report_url);
  const authorization = Buffer.from(`${key_sid ?? account_sid}:${auth_token}`).toString('base64');
  return {
    url: `${api_url.replace(/\/+$/, '')}/2010-04-01/Accounts/${account_sid}/Messages.json`,
    headers: {
      authorization: `Basic ${authorization}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    mayBePrivate: true,
    isUrlOfSettings: true,
    repeatable: false,
    taken: takenByTwilio,
    refused: refusedByTwilio,
  };
}

function takenByTwilio(body: unknown): CallOutcome {
  const { sid, status } = (body ?? {}) as { sid?: unknown; status?: unknown };
  if (typeof sid !== 'string') return { outcome: 'unknown', reason: 'unclear' };
  if (status === 'failed') return { outcome: 'failed', reason: 'refused' };
  return { outcome: 'sent', provider_id: sid };
}

/**
 * Twilio's error codes for a number that accepts no SMS from any sender. (21610 means that the recipient replied STOP.)
 * Codes that also depend on the sender (21612: not reachable from this number) are ordinary refusals: a wrong sender would
 * otherwise put every number on the list.
 */
const noSuchNumber = new Set([21211, 21214, 21217, 21614, 21635]);

/**
 * Codes that concern the account, the sender or the settings, so that every SMS gets the same answer: the account is not active or has
 * no balance, the sender or messaging service is wrong or has no number, the callback is not a URL.
 */
const ofAccount = new Set([
  10001, 20005, 20008, 21212, 21266, 21267, 21601, 21603, 21606, 21607, 21609, 21659, 21660, 21661, 21701, 21703, 21704,
  21705, 30002, 90010,
]);
/** The account may call less often, its daily limit is used up, or the queue of the sender is full. */
const tooMany = new Set([20429, 21611, 63038]);

function refusedByTwilio(body: unknown): CallOutcome | null {
  const { code } = (body ?? {}) as { code?: unknown };
  if (code === 21610) return { outcome: 'failed', reason: 'opted_out' };
  if (typeof code !== 'number') return null;
  if (tooMany.has(code)) return { outcome: 'retry', reason: 'rate_limited', retry_after_ms: null };
  if (ofAccount.has(code)) return { outcome: 'retry', reason: 'account_refused', retry_after_ms: null };
  return noSuchNumber.has(code) ? { outcome: 'failed', reason: 'no_such_number' } : null;
}
