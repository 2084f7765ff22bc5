/**
 * The languages of texts that the platform writes for people: summaries of events, alarms, and notes of the go-live list. A text is
 * made when it is shown, in the language of the call (header Accept-Language).
 */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** A text that is made in the language in which it is shown. */
export type LocalizedText = (language: Language) => string;

/** Makes texts from a table that has the same keys in every language. */
export const localized =
  <Texts>(texts: Readonly<Record<Language, Texts>>) =>
  (choose: (texts: Texts) => string): LocalizedText =>
  (language) =>
    choose(texts[language]);

/** The preferred language of a header Accept-Language; English if the header names no supported language. Pure. */
export function languageOf(header: string | undefined): Language {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: tag.slice(0, 2).toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const [best] = ranges
    .filter(({ language, quality }) => quality > 0 && languages.some((one) => one === language))
    .toSorted((a, b) => b.quality - a.quality);
  return (best?.language as Language | undefined) ?? 'en';
}

/** One text in every language. The type makes sure that no language is missing. */
export type Words = Readonly<Record<Language, string>>;

/** Several texts as one. Pure. */
export function joinWords(parts: readonly Words[], separator: string): Words {
  const join = (language: Language) => parts.map((part) => part[language]).join(separator);
  return { en: join('en'), de: join('de') };
}

/** An error that explains itself to the person who caused it. Its `message`, for logs and the command line, is in English. */
export class WordedError extends Error {
  readonly words: Words;

  constructor(words: Words) {
    super(words.en);
    this.words = words;
  }
}
