/** BCP 47 as people write it: `pt_BR` and `PT-br` are one language. */
export function languageTag(text: string): string {
  return text.trim().replaceAll('_', '-').toLowerCase();
}

/** A language and those it falls back to by itself: pt-BR, pt. */
function withParents(tag: string): string[] {
  const parts = languageTag(tag).split('-');
  return parts.map((_, n) => parts.slice(0, parts.length - n).join('-')).filter((part) => part !== '');
}

/**
 * Which of the languages that a template has a player reads: the player's, its parents (pt-BR, pt), then the brand's default language in
 * the same way, then the first that the template has. Pure.
 *
 * @param has as the template writes them, in its order
 * @param wanted of the player; null: not known
 * @returns as the template writes it; null: the template has none
 */
export function chooseLanguage(has: readonly string[], wanted: string | null, brandDefault: string): string | null {
  const byTag = new Map(has.map((language) => [languageTag(language), language]));
  const chain = [...withParents(wanted ?? ''), ...withParents(brandDefault)];
  const found = chain.find((tag) => byTag.has(tag));
  return (found === undefined ? has[0] : byTag.get(found)) ?? null;
}
