import { da } from './da.ts';
import { de } from './de.ts';
import { el } from './el.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { mt } from './mt.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { sv } from './sv.ts';
import type { Texts } from './texts.ts';

/** The languages of the hosted pages by their BCP 47 code. Each has one file: to add a language, add a file and a line here. */
export const languages = { en, de, es, fr, it, pt, sv, fi, da, nb, nl, pl, mt, el } as const satisfies Record<
  string,
  Texts
>;
export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

/** Norwegian has three codes. Readers of Nynorsk (nn), or of Norwegian without a variant (no), get Bokmål. */
const aliases: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };

/** Maximum number of preferences read from Accept-Language; browsers send a dozen at most. */
const mostPreferences = 30;

/** Returns the first preference that is available, in the given order; English if there is none. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const language = wish ? languageOf(wish) : null;
    if (language !== null) return language;
  }
  return 'en';
}

/** `de`, `de-AT`, `de_AT`, `DEU`: German. Null if the language is not available, or is not a language. */
export function languageOf(tag: string): Language | null {
  const canonical = canonicalTag(tag.trim().replaceAll('_', '-'));
  const [primary = ''] = canonical.split('-');
  if (Object.hasOwn(languages, primary)) return primary as Language;
  return aliases[primary] ?? null;
}

/** Operators also send the three letters of ISO 639-2; the canonical form of `deu` is `de`. */
function canonicalTag(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? '';
  } catch {
    return '';
  }
}

/** The tags of an Accept-Language header (RFC 9110, 12.5.4), most preferred first. */
export function acceptedLanguages(header: string | undefined): string[] {
  const wanted = (header ?? '').split(',', mostPreferences).map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => /^q=/i.test(text));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    return { tag, weight: Number.isFinite(weight) ? weight : 0 };
  });
  return wanted
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
