import { type BounceKind, bounceKindOf } from '../../channels/index.ts';
import { neverHard, type ProviderReport, type ReadReports, recordOf, textOf, textToMicros } from '../report.ts';

/*
 * The notifications and events of Amazon SES arrive inside messages of Amazon SNS (sns.ts). SES replaces the Message-ID, so a
 * message is identified by the message tag `message`, or by the header `X-Message-Token` if SES is configured to include the
 * original headers. Every e-mail has both. The Message-ID is not used, because it can be guessed.
 */
export const sesTag = 'message';
export const tokenHeader = 'X-Message-Token';

const whats: Readonly<Record<string, ProviderReport['what']>> = {
  Delivery: 'delivered',
  Open: 'opened',
  Click: 'clicked',
  Bounce: 'bounced',
  Complaint: 'complained',
  Subscription: 'unsubscribed',
};

/** @param key of the SNS message: it stays the same when SNS repeats a call */
export function readSes(message: unknown, key: string): ReadReports {
  const given = recordOf(message);
  const type = String(given.eventType ?? given.notificationType);
  const part = recordOf(given[type.toLowerCase()]);
  const what = part.bounceSubType === 'UnsubscribedRecipient' ? 'unsubscribed' : whats[type];
  // `not-spam`: the recipient says that an e-mail is no spam.
  if (what === undefined || part.complaintFeedbackType === 'not-spam') return { reports: [], ignored: 1 };
  const mail = recordOf(given.mail);
  const [bounced] = Array.isArray(part.bouncedRecipients) ? part.bouncedRecipients : [];
  const report: ProviderReport = {
    key,
    what,
    at: textToMicros(part.timestamp),
    about: subjectOf(mail),
    reference: textOf(mail.messageId),
    bounce: what === 'bounced' ? bounceOf(part, recordOf(bounced)) : undefined,
    detail: textOf(recordOf(bounced).diagnosticCode) ?? textOf(part.complaintFeedbackType),
  };
  return { reports: [report], ignored: 0 };
}

/** The address bounced earlier, and SES sends nothing to it; or the server has no such mailbox. */
const hard: ReadonlySet<unknown> = new Set(['NoEmail', 'Suppressed', 'OnAccountSuppressionList']);
const policy: ReadonlySet<unknown> = new Set(['ContentRejected', 'AttachmentRejected', 'MessageTooLarge']);

function bounceOf(
  { bounceType, bounceSubType }: Record<string, unknown>,
  { status, diagnosticCode }: Record<string, unknown>,
): BounceKind {
  const [enhanced, text] = [textOf(status), textOf(diagnosticCode)];
  if (policy.has(bounceSubType)) return 'policy';
  if (bounceType !== 'Permanent') return neverHard(bounceKindOf({ enhanced, text }));
  const isUnexplained = enhanced === undefined && text === undefined;
  return isUnexplained || hard.has(bounceSubType) ? 'hard' : bounceKindOf({ enhanced, text });
}

function subjectOf(mail: Record<string, unknown>): ProviderReport['about'] {
  const tags = recordOf(mail.tags)[sesTag];
  const tag = textOf(Array.isArray(tags) ? tags[0] : tags);
  if (tag !== undefined) return { token: tag };
  const headers = (Array.isArray(mail.headers) ? mail.headers : []).map(recordOf);
  const token = textOf(headers.find(({ name }) => String(name).toLowerCase() === tokenHeader.toLowerCase())?.value);
  return token === undefined ? { nothing: true } : { token };
}
