import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { type BounceKind, bounceKindOf } from '../../channels/index.ts';
import {
  neverHard,
  ofMessageId,
  type ProviderReport,
  type ReadReports,
  recordOf,
  secondsToMicros,
  textOf,
} from '../report.ts';

/*
 * Mailgun, webhooks: `{ signature: { timestamp, token, signature }, "event-data": { ... } }`. The signature is HMAC-SHA-256 in
 * hex of the timestamp and the token. It covers neither the event nor its time. So an attacker could change an intercepted
 * call and send it later. To prevent this, old calls are refused.
 */
const oldest: Micros = 8 * 3_600_000_000 + 600_000_000;

/** Mailgun repeats a call for 8 hours, with a new signature or the old one. */
export function isSignedByMailgun(signingKey: string, body: unknown, now: Micros): boolean {
  const { timestamp, token, signature } = recordOf(recordOf(body).signature);
  const at = secondsToMicros(timestamp);
  if (typeof token !== 'string' || typeof signature !== 'string' || at === null) return false;
  if (Math.abs(now - at) > oldest) return false;
  const right = createHmac('sha256', signingKey)
    .update(`${String(timestamp)}${token}`)
    .digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === right.length && timingSafeEqual(right, given);
}

const whats: Readonly<Record<string, ProviderReport['what']>> = {
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  failed: 'bounced',
  complained: 'complained',
  unsubscribed: 'unsubscribed',
};

/** Mailgun refused the e-mail itself, because the recipient had unsubscribed or complained earlier. */
const suppressedWhats: ReadonlyMap<unknown, ProviderReport['what']> = new Map([
  ['suppress-unsubscribe', 'unsubscribed'],
  ['suppress-complaint', 'complained'],
]);

export function readMailgun(body: unknown, brandCode: string): ReadReports {
  const event = recordOf(recordOf(body)['event-data']);
  const what = suppressedWhats.get(event.reason) ?? whats[String(event.event)];
  const key = textOf(event.id);
  // Mailgun itself retries after a temporary failure, and reports a permanent one if it persists.
  if (what === undefined || key === undefined || (what === 'bounced' && event.severity === 'temporary'))
    return { reports: [], ignored: 1 };
  const status = recordOf(event['delivery-status']);
  const headers = recordOf(recordOf(event.message).headers);
  const report: ProviderReport = {
    key,
    what,
    at: secondsToMicros(event.timestamp),
    about: ofMessageId(headers['message-id'], brandCode) ?? { nothing: true },
    reference: textOf(headers['message-id']),
    bounce: what === 'bounced' ? bounceOf(event.reason, status) : undefined,
    detail: textOf(status.description) ?? textOf(status.message),
  };
  return { reports: [report], ignored: 0 };
}

/** `suppress-bounce`: the address bounced earlier, and Mailgun sends nothing to it. `old`: the server did not answer for days. */
function bounceOf(reason: unknown, status: Record<string, unknown>): BounceKind {
  if (reason === 'suppress-bounce') return 'hard';
  const code = Number(status.code);
  const text = [status.message, status.description].map((one) => textOf(one) ?? '').join(' ');
  const kind = bounceKindOf({
    code: Number.isInteger(code) ? code : undefined,
    enhanced: textOf(status['enhanced-code']),
    text,
  });
  return reason === 'old' ? neverHard(kind) : kind;
}
