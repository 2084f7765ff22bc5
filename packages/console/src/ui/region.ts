import { useLanguage } from '../text/text.tsx';

/**
 * Returns the locale in which dates of a language are written. If the browser prefers a region of this language, it is
 * the locale of that region. This matters, because `en-GB` writes times with 24 hours, while `en` alone means the
 * United States. Otherwise it is the language itself. Pure.
 *
 * @param preferred `navigator.languages`
 */
export function regionOf(language: string, preferred: readonly string[]): string {
  return preferred.find((locale) => locale.startsWith(`${language}-`)) ?? language;
}

/** Returns the locale for dates in the chosen language. */
export const useRegion = (): string => regionOf(useLanguage().language, navigator.languages);
