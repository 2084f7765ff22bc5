import { useLanguage } from '../text/text.tsx';

/**
 * The locale in which dates of a language are written: the browser's own region if it has one of this language (`en-GB` has 24 hours, `en`
 * alone means the United States), or else the language. Pure.
 *
 * @param preferred `navigator.languages`
 */
export function regionOf(language: string, preferred: readonly string[]): string {
  return preferred.find((locale) => locale.startsWith(`${language}-`)) ?? language;
}

/** The locale for dates, in the chosen language. */
export const useRegion = (): string => regionOf(useLanguage().language, navigator.languages);
