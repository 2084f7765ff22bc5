import { createContext, type ReactNode, useContext, useState } from 'react';
import { de } from './de.ts';
import { en, type Text } from './en.ts';

const languages = { en, de } as const;
export type Language = keyof typeof languages;
const storageKey = 'croupier-language';

interface ChosenLanguage {
  language: Language;
  text: Text;
  change(language: Language): void;
}

const Words = createContext<ChosenLanguage>({ language: 'en', text: en, change: () => {} });

/**
 * Returns the language that was chosen in this browser. If none was chosen, it is the browser's own language if it is
 * supported, otherwise English.
 */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(storageKey) ?? navigator.language.slice(0, 2);
  return chosen in languages ? (chosen as Language) : 'en';
}

export function TextProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  document.documentElement.lang = language;
  const change = (to: Language) => {
    localStorage.setItem(storageKey, to);
    setLanguage(to);
  };
  return <Words value={{ language, text: languages[language], change }}>{children}</Words>;
}

export const useText = (): Text => useContext(Words).text;
export const useLanguage = (): ChosenLanguage => useContext(Words);

/** Returns the texts of one page in the chosen language. They are loaded with the page. */
export function useWords<Words>(words: Readonly<Record<Language, Words>>): Words {
  return words[useLanguage().language];
}
