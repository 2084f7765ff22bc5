import type { Language } from '../../language.ts';
import { germanPhrases } from './german-phrases.ts';

/*
 * Translates explanations that other parts of the platform write in English. The English text selects the phrase, and its
 * values are inserted into the German text. So the parts that explain errors do not depend on languages, and the English
 * texts of the API stay unchanged.
 */
interface Phrase {
  /** The fixed texts. Between each two of them is a value. */
  fixed: readonly string[];
  /** The number of each value, and whether it is a phrase. */
  values: readonly { number: string; isPhrase: boolean }[];
  german: string;
}

/** Longer texts are not explanations of the platform. The limit bounds the work for a text that a caller wrote. */
const longestMessage = 5_000;

const phrases: readonly Phrase[] = Object.entries(germanPhrases)
  .map(([english, german]) => ({
    fixed: english.split(/\{=?\d\}/),
    values: [...english.matchAll(/\{(=?)(\d)\}/g)].map(([, mark, number = '']) => ({ number, isPhrase: mark === '=' })),
    german,
  }))
  // The most specific phrase comes first, because `{1} is unknown` fits many texts. Phrases that end with a position (`, col:`) come
  // before all others, so that the position is never part of a value. The same applies
  // to phrases that end with what was received.
  .toSorted((a, b) => weight(b) - weight(a));

function weight({ fixed }: Phrase): number {
  const isAtEnd = fixed.some((text) => text.endsWith(', col:') || text.includes('; received '));
  return fixed.join('').length + (isAtEnd ? longestMessage : 0);
}

/** The German text of an explanation; undefined if it is not an explanation of the platform. Pure. */
export function germanOf(message: string): string | undefined {
  if (message.length > longestMessage) return undefined;
  const exact = germanPhrases[message];
  if (exact !== undefined) return exact;
  for (const phrase of phrases) {
    const german = phrase.values.length === 0 ? undefined : filled(phrase, message);
    if (german !== undefined) return german;
  }
  return undefined;
}

function filled({ fixed, values, german }: Phrase, message: string): string | undefined {
  const read = valuesBetween(fixed, message);
  if (read === undefined || (fixed[0] === '' && !values[0]?.isPhrase && /\s/.test(read[0] ?? ''))) return undefined;
  let text = german;
  for (const [place, { number, isPhrase }] of values.entries()) {
    const given = read[place] ?? '';
    const value = isPhrase ? germanOf(given) : (germanPhrases[given] ?? given);
    if (value === undefined) return undefined;
    text = text.replace(`{${number}}`, () => value);
  }
  return text;
}

/** The values between fixed texts; undefined if the message has another form. Each value is as short as possible. */
function valuesBetween(fixed: readonly string[], message: string): string[] | undefined {
  const last = fixed.at(-1) ?? '';
  const end = message.length - last.length;
  let at = fixed[0]?.length ?? 0;
  if (!message.startsWith(fixed[0] ?? '') || !message.endsWith(last) || end <= at) return undefined;
  const values: string[] = [];
  for (const text of fixed.slice(1, -1)) {
    const next = message.indexOf(text, at + 1);
    if (next < 0 || next + text.length >= end) return undefined;
    values.push(message.slice(at, next));
    at = next + text.length;
  }
  return [...values, message.slice(at, end)];
}

/** The explanation in a language. A text that has no translation, such as one of a provider, is quoted as it is. Pure. */
export function inLanguage(message: string, language: Language): string {
  return language === 'en' || message === '' ? message : (germanOf(message) ?? `„${message}“`);
}

/** Errors with their explanations in a language. Pure. */
export function errorsIn<E extends { message: string }>(errors: readonly E[], language: Language): E[] {
  return errors.map((error) => ({ ...error, message: inLanguage(error.message, language) }));
}
