import { languageTag } from './language.ts';

/** The text of the unsubscribe link, which ends a marketing e-mail unless the author placed the link elsewhere. */
const words: Readonly<Record<string, string>> = {
  da: 'Afmeld',
  de: 'Abmelden',
  el: 'Διαγραφή',
  en: 'Unsubscribe',
  es: 'Darse de baja',
  fi: 'Peruuta tilaus',
  fr: 'Se désabonner',
  it: 'Annulla iscrizione',
  mt: 'Neħħi l-abbonament',
  nb: 'Meld deg av',
  nl: 'Afmelden',
  no: 'Meld deg av',
  pl: 'Wypisz się',
  pt: 'Cancelar subscrição',
  sv: 'Avregistrera',
};

export function unsubscribeWord(language: string): string {
  return words[languageTag(language).split('-')[0] ?? ''] ?? 'Unsubscribe';
}
