import { type ProviderReport, type ReadReports, recordOf, textOf, textToMicros } from '../report.ts';

/*
 * The operator's own channel. A call has one report, or several as `reports`:
 *
 *   {"message_id": "77041", "event": "delivered", "at": "2026-06-01T10:00:00Z"}
 *
 * `message_id` is the one of the call that brought the message. `at`, `detail` and, for a click, `link` may be missing.
 */
const events: ReadonlySet<string> = new Set(['delivered', 'opened', 'clicked', 'bounced']);

export function readOperator(body: unknown): ReadReports {
  const { reports } = recordOf(body);
  const entries = Array.isArray(reports) ? reports : [body];
  const read = entries.map((entry) => reportOf(recordOf(entry)));
  const usable = read.filter((one) => one !== null);
  return { reports: usable, ignored: read.length - usable.length };
}

/** Null without the id of a message, with another event, or with a link that is not a number. */
function reportOf({ message_id, event, at, link, detail }: Record<string, unknown>): ProviderReport | null {
  const what = textOf(event);
  const id = numberOf(message_id);
  const clicked = what === 'clicked' ? numberOf(link ?? undefined) : undefined;
  if (what === undefined || !events.has(what) || id === undefined || id === null || clicked === null) return null;
  return {
    key: clicked === undefined ? `operator:${id}` : `operator:${id}:${clicked}`,
    what: what as ProviderReport['what'],
    at: textToMicros(at),
    // The call is signed with the secret of the channel, so its message_id is trusted.
    about: { message_id: Number(id) },
    bounce: what === 'bounced' ? 'soft' : undefined,
    link: clicked,
    detail: textOf(detail),
  };
}

/** A whole number, given as a number or as text, without leading zeros; undefined if it is missing, null if it is anything else. */
function numberOf(value: unknown): string | undefined | null {
  if (value === undefined) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? String(Number(text)) : null;
}
