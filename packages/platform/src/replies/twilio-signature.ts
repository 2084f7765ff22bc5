import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a call by Twilio, header `X-Twilio-Signature`: HMAC-SHA-1, in base64, of the address that was called followed by the
 * names and values of the form in the order of the names. The key is the auth token of the account.
 *
 * @param url as it is entered at Twilio, with its query
 */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].toSorted((a, b) => (a < b ? -1 : 1));
  // A value that comes twice under one name counts once.
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value));
  return createHmac('sha1', authToken)
    .update(`${url}${fields.join('')}`, 'utf8')
    .digest('base64');
}

/** In a time that does not tell how much of the signature is right. */
export function isSignedByTwilio(authToken: string, url: string, form: URLSearchParams, given: string): boolean {
  const right = Buffer.from(twilioSignature(authToken, url, form));
  const claimed = Buffer.from(given);
  return right.length === claimed.length && timingSafeEqual(right, claimed);
}
