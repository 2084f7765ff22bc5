/**
 * A user_id as a field of RFC 4180. It is the operator's text, and may be a player's own: a spreadsheet would run one that begins like a
 * formula, so an apostrophe before it makes it text. A number is no formula.
 */
export function csvField(text: string): string {
  const isFormula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^[+-]?\d+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
