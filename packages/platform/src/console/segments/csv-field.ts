/**
 * A user_id as a field of RFC 4180. It is the operator's text, and may be chosen by a player. A spreadsheet would execute a
 * text that begins like a formula, so a leading apostrophe makes it text. A number is not a formula.
 */
export function csvField(text: string): string {
  const isFormula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^[+-]?\d+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
