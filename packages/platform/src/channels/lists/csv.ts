import type { ListChannel } from './entry.ts';
import type { ExportedEntry } from './export.ts';

const common = ['message_id', 'user_id', 'first_name', 'last_name', 'language', 'country'] as const;
const columnsOf = {
  telephone: [...common, 'number', 'campaign_id', 'note'],
  post_mail: [...common, 'address', 'postal_code', 'city', 'campaign_id', 'note'],
} as const satisfies Record<ListChannel, readonly (keyof ExportedEntry)[]>;

/** RFC 4180 with a head line. */
export function csvHead(channel: ListChannel): string {
  return `${columnsOf[channel].join(',')}\r\n`;
}

export function csvLines(channel: ListChannel, entries: readonly ExportedEntry[]): string {
  return entries.map((entry) => `${columnsOf[channel].map((name) => field(entry[name])).join(',')}\r\n`).join('');
}

/**
 * A value that begins like a formula is one to a spreadsheet, and names are the player's own words: an apostrophe before it makes it
 * text. A number in E.164 begins with + and is left alone: digits after a plus are no more than a number.
 */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const isFormula = /^[\s]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^\+\d{8,15}$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n;\t]|^\s|\s$|^'/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
