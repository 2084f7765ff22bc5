/** Normalizes a BCP 47 tag: `pt_BR` and `PT-br` are the same language. */
export function languageTag(text: string): string {
  return text.trim().replaceAll('_', '-').toLowerCase();
}

/** A language and its parents: pt-BR, pt. */
function withParents(tag: string): string[] {
  const parts = languageTag(tag).split('-');
  return parts.map((_, n) => parts.slice(0, parts.length - n).join('-')).filter((part) => part !== '');
}

/**
 * Which of a template's languages a player gets: the player's own or one of its parents (pt-BR, pt), then the brand's default
 * language in the same way, then the first language of the template. Pure.
 *
 * @param has the languages as written in the template, in its order
 * @param wanted by the player; null if not known
 * @returns the language as written in the template; null if the template has none
 */
export function chooseLanguage(has: readonly string[], wanted: string | null, brandDefault: string): string | null {
  const byTag = new Map(has.map((language) => [languageTag(language), language]));
  const chain = [...withParents(wanted ?? ''), ...withParents(brandDefault)];
  const found = chain.find((tag) => byTag.has(tag));
  return (found === undefined ? has[0] : byTag.get(found)) ?? null;
}
