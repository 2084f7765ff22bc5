import { nameOf } from './codes.ts';
import { useLanguage } from './text.tsx';

/** What a code of the API is called in the chosen language. `place` chooses among its meanings. */
export type CodeName = (code: string, place?: string) => string;

export function useCode(): CodeName {
  const { language } = useLanguage();
  return (code, place) => nameOf(code, place)?.[language === 'de' ? 1 : 0] ?? code.replaceAll('_', ' ');
}
