import { elementsOf, type HttpSmsSettings, listIn, type ReadPath } from '../../channels/index.ts';
import type { ProviderReport, SmsReply } from '../report.ts';

type Reports = NonNullable<HttpSmsSettings['reports']>;
type Replies = NonNullable<HttpSmsSettings['replies']>;

/** One element of a call: a report, a reply, neither, or what can be read as both. */
export interface HttpEntry {
  report: ProviderReport | null;
  reply: SmsReply | null;
}

/**
 * The elements of a call by any SMS provider that posts JSON. The settings define the fields and the meaning of their values. If reports
 * and replies are elements of the same list, each element can be either. Otherwise the two are read independently.
 */
export function readHttpSms(
  { reports, replies }: Pick<HttpSmsSettings, 'reports' | 'replies'>,
  body: unknown,
): HttpEntry[] {
  const ofReports = reports === undefined ? [] : pathsOf(reports);
  const ofReplies = replies === undefined ? [] : pathsOf(replies);
  const read = (element: ReadPath, which: { reports?: Reports; replies?: Replies }): HttpEntry => ({
    report: which.reports === undefined ? null : reportOf(which.reports, element),
    reply: which.replies === undefined ? null : replyOf(which.replies, element),
  });
  const isOneList = listOf(ofReports) === listOf(ofReplies) || reports === undefined || replies === undefined;
  if (isOneList) {
    const both = { ...(reports && { reports }), ...(replies && { replies }) };
    return elementsOf(body, [...ofReports, ...ofReplies]).map((element) => read(element, both));
  }
  const entries = [
    ...elementsOf(body, ofReplies).map((element) => read(element, { replies })),
    ...elementsOf(body, ofReports).map((element) => read(element, { reports })),
  ];
  // A body without such a list, or with nothing else, has no entries of the other kind.
  const useful = entries.filter(({ report, reply }) => report !== null || reply !== null);
  return useful.length > 0 ? useful : entries;
}

const pathsOf = (of: Reports | Replies) =>
  'status' in of
    ? [of.id, of.status, ...(of.reference === undefined ? [] : [of.reference])]
    : [of.id, of.from, of.text];
const listOf = (paths: readonly string[]) => paths.map(listIn).find((list) => list !== null);

/** Null without a sender or a text. */
function replyOf({ id, from, text }: Replies, at: ReadPath): SmsReply | null {
  const [sender, said] = [at(from), at(text)];
  if (sender === null || said === null) return null;
  return { id: at(id), from: sender.trim().replace(/^00/, '+'), text: said, isOptOut: false };
}

/** Null without an id, or with a status that the settings do not name. */
function reportOf(
  { id, reference: ownId, status, delivered, undelivered, no_such_number, policy = [] }: Reports,
  at: ReadPath,
): ProviderReport | null {
  const reference = at(id);
  const own = (ownId === undefined ? null : at(ownId)) ?? '';
  const word = at(status) ?? '';
  const bounce = no_such_number.includes(word)
    ? 'hard'
    : policy.includes(word)
      ? 'policy'
      : undelivered.includes(word)
        ? 'soft'
        : undefined;
  const isDelivered = delivered.includes(word);
  if (reference === null || (!isDelivered && bounce === undefined)) return null;
  return {
    key: `${reference}:${word}`,
    what: isDelivered ? 'delivered' : 'bounced',
    at: null,
    reference,
    bounce: isDelivered ? undefined : bounce,
    detail: word,
    // Only a caller with the key of the brand gets here, so its message_id is trusted.
    about: /^\d{1,15}$/.test(own) ? { message_id: Number(own) } : { provider_id: reference },
  };
}
