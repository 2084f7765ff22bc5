/** Texts of the list of brands. */
const en = {
  about: 'The brands at which you have a role. Each has its own players, settings, API keys and site.',
  open: 'Settings',
  code: 'Code',
  managed: 'Managed in',
  here: 'Console',
  file: 'Configuration file: read-only here',
  fileWhy:
    'The configuration file defines some brands. At each start, it replaces their settings, so the console does not change them. To manage such a brand here, remove it from the file and restart Croupier: the brand and its data stay.',
  make: 'New brand',
  makeAbout:
    'You set up the operator, channels and other settings afterwards. The next page is the checklist of the new brand.',
  codeHint: 'Lower-case letters, digits and -. Part of URLs, and the value of window.crmbrand. You cannot change it.',
  create: 'Create the brand',
  created: (name: string): string => `${name} was created.`,
  mayNot: 'Only administrators of every brand can create brands.',
};

const de: typeof en = {
  about:
    'Die Marken, an denen Sie eine Rolle haben. Jede hat eigene Spieler, Einstellungen, API-Schlüssel und eine eigene Website.',
  open: 'Einstellungen',
  code: 'Kürzel',
  managed: 'Verwaltet in',
  here: 'Konsole',
  file: 'Konfigurationsdatei: hier nur lesbar',
  fileWhy:
    'Einige Marken stehen in der Konfigurationsdatei. Sie ersetzt bei jedem Start deren Einstellungen, deshalb ändert die Konsole sie nicht. Um eine solche Marke hier zu verwalten, entfernen Sie sie aus der Datei und starten Croupier neu: Die Marke und ihre Daten bleiben.',
  make: 'Neue Marke',
  makeAbout:
    'Betreiber, Kanäle und die übrigen Einstellungen richten Sie danach ein. Die nächste Seite ist die Checkliste der neuen Marke.',
  codeHint: 'Kleinbuchstaben, Ziffern und -. Teil von Adressen und Wert von window.crmbrand. Nicht mehr änderbar.',
  create: 'Marke anlegen',
  created: (name: string): string => `${name} wurde angelegt.`,
  mayNot: 'Nur Administratoren aller Marken können Marken anlegen.',
};

export const brands = { en, de };
