const en = {
  stays: 'unchanged',
  noJson: 'This is not valid JSON',
  country: 'Country',
  zoneOf: (country: string) => `Time zone of ${country}`,
  newCountry: 'Country code',
  addCountry: 'Add country',
  addEntry: 'Add entry',
  removeEntry: (entry: string) => `Delete ${entry}`,
  save: 'Save',
  discard: 'Discard changes',
  undo: 'Undo',
  saved: 'Saved. It takes effect within a second.',
  changed: (count: number) => (count === 1 ? '1 unsaved change.' : `${count} unsaved changes.`),
  wrong: 'Fix these errors to save',
  declared: 'The configuration file defines this brand. Change its settings there and restart Croupier.',
  mayNot: 'Only administrators can change this.',
};

const de: typeof en = {
  stays: 'unverändert',
  noJson: 'Das ist kein gültiges JSON',
  country: 'Land',
  zoneOf: (country: string) => `Zeitzone von ${country}`,
  newCountry: 'Ländercode',
  addCountry: 'Land hinzufügen',
  addEntry: 'Eintrag hinzufügen',
  removeEntry: (entry: string) => `${entry} löschen`,
  save: 'Speichern',
  discard: 'Änderungen verwerfen',
  undo: 'Rückgängig',
  saved: 'Gespeichert. Gilt innerhalb einer Sekunde.',
  changed: (count: number) =>
    count === 1
      ? '1 Einstellung ist geändert und nicht gespeichert.'
      : `${count} Einstellungen sind geändert und nicht gespeichert.`,
  wrong: 'Beheben Sie diese Fehler, um zu speichern',
  declared:
    'Diese Marke steht in der Konfigurationsdatei. Ihre Einstellungen werden dort geändert und gelten ab dem nächsten Start.',
  mayNot: 'Nur Administratoren können das ändern.',
};

export const settingsForm = { en, de };
