import type { ReadReports, SmsReply } from '../report.ts';

/*
 * Twilio, status callbacks: a form with MessageSid, MessageStatus and, for a failure, ErrorCode. The called address identifies
 * the message (`?message=<token>`), and the signature covers the address.
 */

/** Codes that concern the number: it does not exist, is a landline, or is permanently refused by its network. */
const hard: ReadonlySet<string> = new Set(['30005', '30006', '21211', '21214', '21217', '21614', '21635']);
/**
 * Codes that may concern the number: its handset cannot be reached, it blocks messages, or the reason is unknown. All others concern the
 * sender, its account or the content, such as a filter of the carrier (30007), and never suppress the number.
 */
const soft: ReadonlySet<string> = new Set(['', '30003', '30004', '30008']);
/** The recipient replied STOP to the sender. */
const optedOut = '21610';

export function readTwilioReply(form: URLSearchParams): SmsReply {
  return {
    id: form.get('MessageSid'),
    from: form.get('From') ?? '',
    text: form.get('Body') ?? '',
    // If the account has Advanced Opt-Out, Twilio itself reports the meaning of a reply.
    isOptOut: form.get('OptOutType') === 'STOP',
  };
}

/** @param url as called */
export function readTwilioStatus(form: URLSearchParams, url: string): ReadReports {
  const token = new URL(url, 'http://x').searchParams.get('message');
  const sid = form.get('MessageSid');
  const status = form.get('MessageStatus');
  const code = form.get('ErrorCode') ?? '';
  const isFailed = status === 'undelivered' || status === 'failed';
  if (sid === null || (status !== 'delivered' && status !== 'read' && !isFailed)) return { reports: [], ignored: 1 };
  const what =
    status === 'delivered'
      ? 'delivered'
      : status === 'read'
        ? 'opened'
        : code === optedOut
          ? 'unsubscribed'
          : 'bounced';
  const bounce = what === 'bounced' ? (hard.has(code) ? 'hard' : soft.has(code) ? 'soft' : 'policy') : undefined;
  return {
    reports: [
      {
        key: sid,
        what,
        at: null,
        about: token === null ? { provider_id: sid } : { token },
        reference: sid,
        bounce,
        detail: isFailed && code !== '' ? `error ${code}` : undefined,
      },
    ],
    ignored: 0,
  };
}
