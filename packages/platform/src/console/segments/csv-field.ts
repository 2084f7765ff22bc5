/**
 * A user_id as a field of RFC 4180. The operator defines it, and players may be able to choose it. A spreadsheet would execute a
 * text that begins like a formula, so such a text gets a leading apostrophe. A number is not a formula.
 */
export function csvField(text: string): string {
  const isFormula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^[+-]?\d+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
