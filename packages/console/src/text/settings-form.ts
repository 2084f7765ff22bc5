const en = {
  stays: 'stays as it is',
  noJson: 'This is not JSON yet',
  country: 'Country',
  zoneOf: (country: string) => `Zone of ${country}`,
  newCountry: 'Code of a country',
  addCountry: 'Add the country',
  addEntry: 'Add an entry',
  removeEntry: (entry: string) => `Delete ${entry}`,
  save: 'Save',
  discard: 'Discard changes',
  undo: 'Undo',
  saved: 'Saved. In force within a second.',
  changed: (count: number) =>
    count === 1 ? '1 setting is changed and not saved.' : `${count} settings are changed and not saved.`,
  wrong: 'This has to be mended first',
  declared:
    'This brand stands in the configuration file. Its settings are changed there, and take effect at the next start.',
  mayNot: 'Only administrators change this.',
};

const de: typeof en = {
  stays: 'bleibt, wie es ist',
  noJson: 'Das ist noch kein JSON',
  country: 'Land',
  zoneOf: (country: string) => `Zone von ${country}`,
  newCountry: 'Kürzel eines Landes',
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
  wrong: 'Das muss erst in Ordnung gebracht werden',
  declared:
    'Diese Marke steht in der Konfigurationsdatei. Ihre Einstellungen werden dort geändert und gelten ab dem nächsten Start.',
  mayNot: 'Das ändern nur Administratoren.',
};

export const settingsForm = { en, de };
