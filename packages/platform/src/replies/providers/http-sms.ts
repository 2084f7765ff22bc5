import { type HttpSmsSettings, textAt } from '../../channels/index.ts';
import type { ReadReports } from '../report.ts';

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
