import { alpha2Of } from './countries.ts';

/**
 * The platform's form of a code, and whether it is a known one. An unknown code is kept and flagged, never refused; a
 * blank one is fine, every text field of the record may be blank.
 */
export interface ReadCode {
  code: string;
  known: boolean;
}

export function readCountry(text: string): ReadCode {
  const alpha2 = alpha2Of(text);
  return { code: alpha2 ?? text.trim().toUpperCase(), known: alpha2 !== undefined };
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217, or 3 to 10 characters for the currencies that have no such code. */
export function readCurrency(text: string): ReadCode {
  const code = text.trim().toUpperCase();
  return { code, known: currencies.has(code) || /^[A-Z0-9]{3,10}$/.test(code) };
}

/** BCP 47; the underscore of POSIX locales is taken for the hyphen. */
export function readLanguage(text: string): ReadCode {
  try {
    const [code] = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'));
    if (code !== undefined) return { code, known: true };
  } catch {
    // Not of the form of a language tag.
  }
  return { code: text, known: false };
}

/** Markets are the operator's own words: lower-cased, so that `MT` and `mt` are one. */
export function readMarket(text: string): ReadCode {
  return { code: text.trim().toLowerCase(), known: true };
}

export function readMobilePrefix(text: string): ReadCode {
  return { code: text.trim(), known: /^(\+|00)?\d{1,6}$/.test(text.replace(/[\s()-]/g, '')) };
}
