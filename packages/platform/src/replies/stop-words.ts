/**
 * Replies that mean "send me no more messages", by language. Each is a whole reply. People answer in a language of their choice, so all of
 * them count for every player. Case, accents and punctuation are ignored.
 */
const stopWords: Readonly<Record<string, readonly string[]>> = {
  en: ['stop', 'stopall', 'stop all', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout', 'opt out'],
  de: ['stopp', 'abmelden', 'abbestellen', 'austragen', 'kündigen'],
  sv: ['avsluta', 'avregistrera', 'sluta'],
  nb: ['avslutt', 'avmeld', 'slutt'],
  da: ['afmeld', 'frameld'],
  fi: ['lopeta', 'peruuta', 'seis'],
  nl: ['afmelden', 'uitschrijven', 'stoppen'],
  fr: ['arrêt', 'arrêter', 'désabonner', 'désinscrire'],
  es: ['alto', 'baja', 'cancelar', 'parar'],
  it: ['basta', 'cancella', 'disiscrivimi', 'annulla'],
  pt: ['sair', 'remover', 'descadastrar'],
  pl: ['koniec', 'rezygnuję', 'wypisz'],
  el: ['στοπ', 'διακοπή', 'διαγραφή'],
  mt: ['ieqaf', 'waqqaf'],
};

/** Words that count at the start of any reply: "Stop sending me this". */
const atTheBeginning: ReadonlySet<string> = new Set(['stop', 'stopp', 'stopall', 'unsubscribe']);
const all: ReadonlySet<string> = new Set(Object.values(stopWords).flat().map(plain));

/** Whether a reply asks for no more messages. An ambiguous reply counts: too few messages do no harm. */
export function meansStop(reply: string): boolean {
  const words = plain(reply);
  return all.has(words) || atTheBeginning.has(words.split(' ')[0] ?? '');
}

/** Lower case, without accents; everything except letters and digits separates words. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
