import { timingSafeEqual } from 'node:crypto';
import { type BounceKind, bounceKindOf } from '../../channels/index.ts';
import { neverHard, type ProviderReport, type ReadReports, recordOf, textOf, textToMicros } from '../report.ts';

/*
 * Postmark, webhooks: one event per call. Postmark signs nothing; it sends the user name and password (HTTP Basic) of the
 * configured address. It identifies messages by its own id and by the metadata sent with each (`X-PM-Metadata-message`).
 */
const metadataName = 'message';

export function isFromPostmark(
  { username, password }: { username: string; password: string },
  authorization: string | undefined,
): boolean {
  const right = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const given = Buffer.from(authorization ?? '');
  return right.length === given.length && timingSafeEqual(right, given);
}

/** Bounces after which Postmark itself sends no more mail to the address. */
const hard: ReadonlySet<string> = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated', 'Unsubscribe']);
/** The sender or the content was refused. */
const policy: ReadonlySet<string> = new Set([
  'Blocked',
  'SpamNotification',
  'VirusNotification',
  'OpenRelayTest',
  'SMTPApiError',
  'InboundError',
  'DMARCPolicy',
  'TemplateRenderingFailed',
]);
/** Postmark also reports answers of people and programs as bounces. The e-mail has arrived. */
const answers: ReadonlySet<string> = new Set(['AutoResponder', 'Subscribe', 'AddressChange', 'ChallengeVerification']);

export function readPostmark(body: unknown): ReadReports {
  const event = recordOf(body);
  const report = reportOf(event);
  return report === null ? { reports: [], ignored: 1 } : { reports: [report], ignored: 0 };
}

function reportOf(event: Record<string, unknown>): ProviderReport | null {
  const type = String(event.RecordType);
  const reference = textOf(event.MessageID);
  // The case of the name depends on how a mail library wrote the header.
  const metadata = Object.entries(recordOf(event.Metadata));
  const token = textOf(metadata.find(([name]) => name.toLowerCase() === metadataName)?.[1]);
  const about = token === undefined ? ({ nothing: true } as const) : { token };
  const by = (key: unknown, at: unknown) => ({
    key: `${type}:${String(key)}`,
    at: textToMicros(at),
    about,
    reference,
  });
  // Ids of bounces may be above 2^53, where JSON.parse rounds them. So they identify a bounce only together with its message and time.
  const ofBounce = by(`${reference}:${String(event.ID)}:${String(event.BouncedAt)}`, event.BouncedAt);
  switch (type) {
    case 'Delivery':
      return { ...by(reference, event.DeliveredAt), what: 'delivered' };
    case 'Open':
      return { ...by(`${reference}:${String(event.ReceivedAt)}`, event.ReceivedAt), what: 'opened' };
    case 'Click':
      return { ...by(`${reference}:${String(event.ReceivedAt)}`, event.ReceivedAt), what: 'clicked' };
    case 'Bounce': {
      const kind = String(event.Type);
      if (answers.has(kind)) return null;
      const bounce = bounceOf(kind, textOf(event.Details));
      return { ...ofBounce, what: 'bounced', bounce, detail: textOf(event.Description) };
    }
    case 'SpamComplaint':
      return { ...ofBounce, what: 'complained' };
    case 'SubscriptionChange':
      // Bounces and complaints are separate events.
      if (
        event.SuppressSending !== true ||
        event.Origin !== 'Recipient' ||
        event.SuppressionReason !== 'ManualSuppression'
      )
        return null;
      return { ...by(`${reference}:${String(event.ChangedAt)}`, event.ChangedAt), what: 'unsubscribed' };
    default:
      return null;
  }
}

/** @param text the answer of the recipient's server */
function bounceOf(type: string, text: string | undefined): BounceKind {
  const kind = bounceKindOf({ text });
  if (policy.has(type) || kind === 'policy') return 'policy';
  return hard.has(type) ? 'hard' : neverHard(kind);
}
