/*
 * Converts texts of others so that PostgreSQL can store them: it stores neither NUL nor half a surrogate pair. Neither occurs in valid
 * names or notes.
 */

export function storableText(text: string): string {
  const clean = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}

/** The beginning of a text, in storable form. The text is shortened first, because this may leave half a surrogate pair. */
export function storableStart(text: string, maxLength: number): string {
  return storableText(text.slice(0, maxLength));
}

const maxDetail = 300;

/** For details of failures: texts of operators and of the network, of any length and content. */
export function storableDetail(detail: string): string {
  return storableStart(detail, maxDetail);
}
