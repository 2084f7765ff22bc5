/**
 * Replies that mean "send me no more messages", by language. Each is a whole reply, or the beginning or end of a short one. People answer in a language of their choice, so all of
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
/** Words with another usual meaning ("when does it end?"). They count only as a whole reply. */
const onlyAlone: ReadonlySet<string> = new Set(['end', 'alto', 'seis']);
/** In a longer reply, the first or last word often has another meaning: "I will call you when I cancel". */
const mostWords = 4;
/** "Don't stop": the last word of an apostrophe is `t`. */
const negations: ReadonlySet<string> = new Set(
  ['t', 'dont', 'not', 'never', 'nicht', 'inte', 'ikke', 'niet', 'älä'].map(plain),
);

/**
 * Whether a reply asks for no more messages: it is a stop word, or has at most four words and begins or ends with a stop word ("Abmelden
 * bitte", "please stop"). An ambiguous reply counts: too few messages do no harm.
 */
export function meansStop(reply: string): boolean {
  const said = plain(reply);
  const words = said.split(' ');
  if (all.has(said) || atTheBeginning.has(words[0] ?? '')) return true;
  if (words.length > mostWords) return false;
  // Some stop words consist of two words: "opt out".
  return [1, 2].some((length) => {
    const before = words.at(-length - 1) ?? '';
    return isStop(words.slice(0, length)) || (isStop(words.slice(-length)) && !negations.has(before));
  });
}

function isStop(words: readonly string[]): boolean {
  const text = words.join(' ');
  return all.has(text) && !onlyAlone.has(text);
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
