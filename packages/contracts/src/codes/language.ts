import type { Code } from './code.ts';

/**
 * Reads a language as BCP 47 in its canonical spelling (`en`, `pt-BR`). An underscore counts as a hyphen. The language
 * is known if the runtime has a name for it. Text that is not a language tag is not changed.
 */
export function readLanguage(text: string): Code {
  const tag = text.trim().replaceAll('_', '-');
  try {
    const code = Intl.getCanonicalLocales(tag)[0] ?? tag;
    return { code, known: names.of(new Intl.Locale(code).language) !== undefined };
  } catch {
    return { code: tag, known: false };
  }
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
