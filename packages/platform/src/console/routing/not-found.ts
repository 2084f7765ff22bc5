import { Refused } from './refused.ts';

/** The things that a call may not find, with the beginning of the German sentence about each. */
const german = {
  account: 'Das Konto',
  'bonus intent': 'Den Bonus',
  brand: 'Die Marke',
  budget: 'Das Budget',
  'bulk action': 'Die Sammelaktion',
  campaign: 'Die Kampagne',
  'e-mail': 'Die E-Mail',
  entry: 'Den Eintrag',
  key: 'Den Schlüssel',
  message: 'Die Nachricht',
  passkey: 'Den Passkey',
  picture: 'Das Bild',
  player: 'Den Spieler',
  rebuild: 'Die Neuberechnung',
  recall: 'Den Rückruf',
  reconciliation: 'Den Abgleich',
  're-synchronization': 'Die Neuabfrage',
  run: 'Den Durchgang',
  segment: 'Das Segment',
  session: 'Die Sitzung',
  template: 'Die Vorlage',
} as const;

/** The error for something that does not exist, or that the caller may not see. */
export function notFound(what: keyof typeof german, name: string | number): Refused {
  return new Refused('not_found', {
    en: `the ${what} ${name} does not exist`,
    de: `${german[what]} ${name} gibt es nicht`,
  });
}
