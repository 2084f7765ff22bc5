/** Texts of the command palette. */
const en = {
  actions: 'Actions',
  pages: 'Pages',
  players: 'Players',
  segments: 'Segments',
  campaigns: 'Campaigns',
  newSegment: 'Create a segment',
  newCampaign: 'Create a campaign',
  newKey: 'Create an API key',
  newAccount: 'Add an account',
  language: 'Sprache: Deutsch',
  dark: 'Switch to dark colors',
  light: 'Switch to light colors',
  signOut: 'Sign out',
  none: 'Nothing found. The search matches the beginning of player ids, names and e-mails, and the last digits of phone numbers.',
};

const de: typeof en = {
  actions: 'Aktionen',
  pages: 'Seiten',
  players: 'Spieler',
  segments: 'Segmente',
  campaigns: 'Kampagnen',
  newSegment: 'Segment anlegen',
  newCampaign: 'Kampagne anlegen',
  newKey: 'API-Schlüssel anlegen',
  newAccount: 'Konto hinzufügen',
  language: 'Language: English',
  dark: 'Dunkle Farben',
  light: 'Helle Farben',
  signOut: 'Abmelden',
  none: 'Nichts gefunden. Gesucht wird nach dem Anfang von Spieler-ID, Name und E-Mail und nach den letzten Ziffern der Telefonnummer.',
};

export const palette = { en, de };
