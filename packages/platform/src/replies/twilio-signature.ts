import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a call by Twilio, header `X-Twilio-Signature`: HMAC-SHA-1, in base64, of the called address followed by the
 * names and values of the form, sorted by name. The key is the auth token of the account.
 *
 * @param url as configured at Twilio, with its query
 */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].toSorted((a, b) => (a < b ? -1 : 1));
  // A value that occurs twice under one name counts once.
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value));
  return createHmac('sha1', authToken)
    .update(`${url}${fields.join('')}`, 'utf8')
    .digest('base64');
}

/** Takes constant time, so that the duration does not reveal how much of a signature is right. */
export function isSignedByTwilio(authToken: string, url: string, form: URLSearchParams, given: string): boolean {
  const right = Buffer.from(twilioSignature(authToken, url, form));
  const claimed = Buffer.from(given);
  return right.length === claimed.length && timingSafeEqual(right, claimed);
}
