import type { ListChannel } from './entry.ts';
import type { ExportedEntry } from './export.ts';

const common = ['message_id', 'user_id', 'first_name', 'last_name', 'language', 'country'] as const;
const columnsOf = {
  telephone: [...common, 'number', 'campaign_id', 'note'],
  post_mail: [...common, 'address', 'postal_code', 'city', 'campaign_id', 'note'],
} as const satisfies Record<ListChannel, readonly (keyof ExportedEntry)[]>;

/** Returns the header line of a CSV file (RFC 4180). */
export function csvHead(channel: ListChannel): string {
  return `${columnsOf[channel].join(',')}\r\n`;
}

export function csvLines(channel: ListChannel, entries: readonly ExportedEntry[]): string {
  return entries.map((entry) => `${columnsOf[channel].map((name) => field(entry[name])).join(',')}\r\n`).join('');
}

/**
 * Spreadsheets execute a value that begins like a formula, and names are entered by players: a leading apostrophe makes such a
 * value text. A number in E.164 begins with + and stays unchanged, because a plus followed only by digits is not a formula.
 */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const isFormula = /^[\s]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^\+\d{8,15}$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n;\t]|^\s|\s$|^'/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
