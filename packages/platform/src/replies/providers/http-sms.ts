import { type HttpSmsSettings, textAt } from '../../channels/index.ts';
import type { ReadReports, SmsReply } from '../report.ts';

/** A reply as any SMS provider posts it as JSON; null if the body has no sender or no text. */
export function readHttpReply(
  { id, from, text }: NonNullable<HttpSmsSettings['replies']>,
  body: unknown,
): SmsReply | null {
  const [sender, said] = [textAt(body, from), textAt(body, text)];
  if (sender === null || said === null) return null;
  return { id: textAt(body, id), from: sender.trim().replace(/^00/, '+'), text: said, isOptOut: false };
}

/**
 * Reports of any SMS provider that posts JSON: the settings define its fields and the meaning of their values. One report per
 * call.
 */
export function readHttpSms(
  { id, status, delivered, undelivered, no_such_number }: NonNullable<HttpSmsSettings['reports']>,
  body: unknown,
): ReadReports {
  const reference = textAt(body, id);
  const word = textAt(body, status) ?? '';
  const what = delivered.includes(word) ? 'delivered' : 'bounced';
  const isHard = no_such_number.includes(word);
  if (reference === null || (what === 'bounced' && !isHard && !undelivered.includes(word)))
    return { reports: [], ignored: 1 };
  const bounce = what === 'bounced' ? (isHard ? 'hard' : 'soft') : undefined;
  const report = { key: `${reference}:${word}`, what, at: null, reference, bounce, detail: word } as const;
  return { reports: [{ ...report, about: { provider_id: reference } }], ignored: 0 };
}
