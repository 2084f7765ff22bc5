import { createHash } from 'node:crypto';
import { bounceKindOf } from '../../channels/index.ts';
import { type ProviderReport, type ReadReports, textToMicros } from '../report.ts';
import { headersOf, partsOf, readHeaders } from './mime-parts.ts';

/*
 * Raw mail that a mail server passes on: delivery reports (RFC 3464), and complaints that mailbox providers forward (ARF, RFC
 * 5965). Anyone can write a mail that looks like a report. So a report counts only if it contains a token signed by
 * the platform (channels/message-tokens.ts). The token is in the envelope sender to which the mail was returned, or in the headers of
 * the original e-mail, which reports include.
 */
export function readMail(raw: string): ReadReports {
  const headers = headersOf(raw);
  const type = headers.get('content-type') ?? '';
  const parts = partsOf(raw, type);
  const part = (name: string) => parts.find(({ type }) => type === name)?.body;
  const status = part('message/delivery-status');
  const feedback = part('message/feedback-report');
  const read = status !== undefined ? ofStatus(status) : feedback !== undefined ? ofFeedback(feedback) : null;
  const token = tokenIn(raw);
  if (read === null || token === null) return { reports: [], ignored: 1 };
  const key = createHash('sha256')
    .update(headers.get('message-id') ?? raw)
    .digest('hex');
  const at = textToMicros(headers.get('date'));
  return { reports: [{ key, at, about: { token }, ...read }], ignored: 0 };
}

/** Finds a token in the address to which the mail was returned, or in a header of the original e-mail. */
function tokenIn(raw: string): string | null {
  const token = '(\\d{1,10}-\\d{1,15}-[0-9a-f]{20})';
  const found =
    new RegExp(`^X-Message-Token:[ \\t]*${token}[ \\t]*\\r?$`, 'im').exec(raw) ??
    new RegExp(`\\+${token}@`, 'i').exec(raw);
  return found?.[1] ?? null;
}

type Read = Pick<ProviderReport, 'what' | 'bounce' | 'detail'>;

/**
 * The body consists of blocks of fields. The first block concerns the message, and each other block concerns a recipient. The
 * platform's e-mails have one recipient.
 */
function ofStatus(body: string): Read | null {
  const blocks = body.split(/\r?\n[ \t]*\r?\n/).map(readHeaders);
  const recipient = blocks.find((fields) => fields.has('action'));
  const action = recipient?.get('action')?.toLowerCase();
  const [enhanced] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(recipient?.get('status') ?? '') ?? [];
  const text = recipient?.get('diagnostic-code');
  const detail = [enhanced, text].filter((one) => one !== undefined).join(' ');
  if (action === 'delivered') return { what: 'delivered', detail };
  // The server still tries to deliver the e-mail, or has passed it to a server that does not report.
  if (action !== 'failed') return null;
  return { what: 'bounced', bounce: bounceKindOf({ enhanced, text }), detail };
}

function ofFeedback(body: string): Read | null {
  const type = readHeaders(body).get('feedback-type')?.toLowerCase();
  if (type === 'abuse' || type === 'fraud') return { what: 'complained', detail: type };
  return type === 'opt-out' || type === 'opt-out-list' ? { what: 'unsubscribed', detail: type } : null;
}
