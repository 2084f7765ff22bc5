/** Whether each word of a search occurs in one of the texts. Letter case and accents are ignored. An empty search finds everything. Pure. */
export function isFound(search: string | undefined, ...texts: readonly string[]): boolean {
  const words = plain(search ?? '').split(/\s+/);
  return words.every((word) => texts.some((text) => plain(text).includes(word)));
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
