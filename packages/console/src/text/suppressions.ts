/** Texts of the page of suppressed addresses. */
const en = {
  about:
    'Addresses and mobile numbers that get no message, for any player. Bounces and complaints are added automatically. The list stores keyed hashes only, so you can look up one entry, but not list all of them.',
  kind: 'Kind',
  kinds: { email: 'E-mail address', sms: 'Mobile number' },
  value: { email: 'E-mail address', sms: 'Mobile number' },
  example: { email: 'anna@example.com', sms: '+35699123456' },
  find: 'Look up',
  add: 'Suppress',
  remove: 'Remove the suppression',
  note: 'Reason, for the staff audit',
  noteHint: 'Do not enter personal data. The staff audit keeps the reason even if the player is erased.',
  added: (value: string): string => `${value} gets no more messages.`,
  removeSure: (value: string): string =>
    `${value} can get messages again, as far as consents and blocks of the player allow. If the address bounces again, it is suppressed again.`,
  removed: (value: string): string => `${value} is no longer suppressed.`,
  wasNot: (value: string): string => `${value} was not suppressed.`,
  is: (value: string): string => `${value} is suppressed`,
  isNot: (value: string): string => `${value} is not suppressed`,
  isNotHint: 'Messages to it depend only on consents and blocks of the player.',
  since: 'Since',
  by: 'Added by',
  automatic: 'added automatically',
  detail: 'Answer of the provider',
  begin: 'Enter an e-mail address or a mobile number.',
  changes: 'Show changes in the staff audit',
  result: 'Result',
};

const de: typeof en = {
  about:
    'Adressen und Mobilnummern, die keine Nachricht bekommen, egal von welchem Spieler. Unzustellbare Nachrichten und Beschwerden werden automatisch eingetragen. Die Liste enthält nur Prüfsummen mit Schlüssel. Deshalb können Sie einen Eintrag suchen, aber nicht alle anzeigen.',
  kind: 'Art',
  kinds: { email: 'E-Mail-Adresse', sms: 'Mobilnummer' },
  value: { email: 'E-Mail-Adresse', sms: 'Mobilnummer' },
  example: { email: 'anna@example.com', sms: '+35699123456' },
  find: 'Suchen',
  add: 'Sperren',
  remove: 'Sperre aufheben',
  note: 'Grund, für das Protokoll',
  noteHint:
    'Geben Sie keine persönlichen Daten ein. Das Protokoll behält den Grund auch, wenn der Spieler gelöscht wird.',
  added: (value) => `${value} bekommt keine Nachrichten mehr.`,
  removeSure: (value) =>
    `${value} kann wieder Nachrichten bekommen, soweit Einwilligungen und Sperren des Spielers es erlauben. Ist die Adresse noch einmal unzustellbar, wird sie wieder gesperrt.`,
  removed: (value) => `${value} ist nicht mehr gesperrt.`,
  wasNot: (value) => `${value} war nicht gesperrt.`,
  is: (value) => `${value} ist gesperrt`,
  isNot: (value) => `${value} ist nicht gesperrt`,
  isNotHint: 'Nachrichten dorthin hängen nur von Einwilligungen und Sperren des Spielers ab.',
  since: 'Seit',
  by: 'Eingetragen von',
  automatic: 'automatisch eingetragen',
  detail: 'Antwort des Anbieters',
  begin: 'Geben Sie eine E-Mail-Adresse oder eine Mobilnummer ein.',
  changes: 'Änderungen im Protokoll zeigen',
  result: 'Ergebnis',
};

export const suppressions = { en, de };
