import { nameOf } from './codes.ts';
import { useLanguage } from './text.tsx';

/** Returns the label of a code of the API in the chosen language. `place` selects one of several meanings. */
export type CodeName = (code: string, place?: string) => string;

export function useCode(): CodeName {
  const { language } = useLanguage();
  return (code, place) => nameOf(code, place)?.[language === 'de' ? 1 : 0] ?? code.replaceAll('_', ' ');
}
