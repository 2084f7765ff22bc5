import { useLanguage } from '../text/text.tsx';
import { regionNames } from './formats.ts';

/** Codes of two letters that are assigned to no country. `Intl` has names for some of them. */
const noCountries: ReadonlySet<string> = new Set(['XA', 'XB', 'ZZ']);

/**
 * Returns the name of a country with its code in upper case, such as `Malta (MT)`, for a code of two letters in any case. Operators
 * use such codes for markets, too. Another text is returned unchanged. Pure.
 */
export function countryText(code: string, language: string): string {
  const upper = code.toUpperCase();
  if (!/^[A-Z]{2}$/.test(upper) || noCountries.has(upper)) return code;
  const name = regionNames(language).of(upper);
  return name === undefined ? code : `${name} (${upper})`;
}

/** Returns a function that writes the code of a country or market in the chosen language. */
export function useCountry(): (code: string) => string {
  const { language } = useLanguage();
  return (code) => countryText(code, language);
}
