import { nameOf } from './codes.ts';
import { useLanguage } from './text.tsx';

/** The label of a code of the API in the chosen language. `place` selects one of several meanings. */
export type CodeName = (code: string, place?: string) => string;

/** The label of a code of the API; undefined if the text is none of them. */
export function useKnownCode(): (text: string) => string | undefined {
  const { language } = useLanguage();
  return (text) => nameOf(text)?.[language === 'de' ? 1 : 0];
}

export function useCode(): CodeName {
  const { language } = useLanguage();
  return (code, place) => nameOf(code, place)?.[language === 'de' ? 1 : 0] ?? code.replaceAll('_', ' ');
}
