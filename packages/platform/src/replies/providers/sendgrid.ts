import { createPublicKey, verify } from 'node:crypto';
import { type BounceKind, bounceKindOf, sendgridArgument } from '../../channels/index.ts';
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
 * SendGrid, Event Webhook: a JSON array of events, signed with ECDSA (P-256, SHA-256) over the timestamp header and the body.
 * `smtp-id` is the Message-ID of the e-mail, `sg_event_id` the id of the event. Only events about delivery have an `smtp-id`. Those
 * about opens, clicks, complaints and unsubscriptions identify the e-mail by its unique argument (header `X-SMTPAPI`).
 */
export const sendgridHeaders = {
  signature: 'x-twilio-email-event-webhook-signature',
  timestamp: 'x-twilio-email-event-webhook-timestamp',
} as const;

/** @param publicKey base64 of the key in DER, as SendGrid shows it */
export function isSignedBySendgrid(
  publicKey: string,
  { signature, timestamp, body }: { signature: string; timestamp: string; body: Buffer },
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const whats: Readonly<Record<string, ProviderReport['what']>> = {
  delivered: 'delivered',
  open: 'opened',
  click: 'clicked',
  bounce: 'bounced',
  spamreport: 'complained',
  unsubscribe: 'unsubscribed',
  group_unsubscribe: 'unsubscribed',
};

/** `dropped`: SendGrid did not try to send the e-mail, because of an earlier event or of the account. */
function droppedBecause(reason: string): Pick<ProviderReport, 'what' | 'bounce'> {
  if (/^(bounced address|invalid)$/i.test(reason)) return { what: 'bounced', bounce: 'hard' };
  if (/^(group )?unsubscribed?( address)?$/i.test(reason)) return { what: 'unsubscribed' };
  if (/^spam reporting address$/i.test(reason)) return { what: 'complained' };
  return { what: 'bounced', bounce: 'policy' };
}

/** `blocked`: temporarily refused. */
function bounceOf({ type, status, reason }: Record<string, unknown>): BounceKind {
  const kind = bounceKindOf({ enhanced: textOf(status), text: textOf(reason) });
  return type === 'blocked' ? neverHard(kind) : kind;
}

export function readSendgrid(body: unknown, brandCode: string): ReadReports {
  const events = Array.isArray(body) ? body : [];
  const reports = events.flatMap((given): ProviderReport[] => {
    const event = recordOf(given);
    const read = readEvent(event);
    const key = textOf(event.sg_event_id);
    if (read === null || key === undefined) return [];
    return [
      {
        key,
        ...read,
        at: secondsToMicros(event.timestamp),
        about: subjectOf(event, brandCode),
        reference: textOf(event.sg_message_id),
        detail: textOf(event.reason),
      },
    ];
  });
  return { reports, ignored: events.length - reports.length };
}

function readEvent(event: Record<string, unknown>): Pick<ProviderReport, 'what' | 'bounce'> | null {
  if (event.event === 'dropped') return droppedBecause(textOf(event.reason)?.trim() ?? '');
  const what = whats[String(event.event)];
  if (what === undefined) return null;
  return what === 'bounced' ? { what, bounce: bounceOf(event) } : { what };
}

function subjectOf(event: Record<string, unknown>, brandCode: string): ProviderReport['about'] {
  const token = textOf(event[sendgridArgument]);
  return token !== undefined ? { token } : (ofMessageId(event['smtp-id'], brandCode) ?? { nothing: true });
}
