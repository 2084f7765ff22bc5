/** Texts of the lists for telephone and post. */
const en = {
  about: 'Players whom staff call or write to. Campaigns and messages to one player add entries.',
  none: 'There are no lists yet. The step “Call list” of a campaign, or a message on the page of a player, adds the first entry.',
  toCampaigns: 'Campaigns',
  list: 'List',
  channel: 'Channel',
  open: 'To contact',
  exported: 'Exported, without an outcome',
  ended: 'Ended',
  all: 'All lists',
  aboutList:
    'Export the list, contact the players, and report each outcome. An export asks the gate for each entry: entries that are no longer allowed are dropped.',
  exportCsv: 'Export as CSV',
  exportLines: 'Export as JSON lines',
  exportNeeds: 'An export contains personal data. It needs a role that may see personal data.',
  exportDone: (count: number): string =>
    count === 0 ? 'No player may be contacted now.' : `Players in the file: ${count}`,
  noEntries: 'The list has no entries.',
  noMatch: 'No entry matches. Clear the filters.',
  note: 'Note',
  campaign: 'Campaign',
  created: 'Added',
  exportedAt: 'Exported',
  expires: 'Expires',
  outcome: 'Outcome',
  outcomes: { reached: 'Reached', not_reached: 'Not reached', opted_out: 'Opted out' },
  of: (outcome: string, player: string): string => `${outcome}: ${player}`,
  optOutSure: (player: string): string =>
    `This withdraws the consent of ${player} for this channel, in Croupier now and then at the operator. Only the player can give it again.`,
  reported: 'The outcome is stored.',
  upload: 'Upload outcomes',
  uploadAbout:
    'A CSV file with the columns message_id and outcome. For example, add the column outcome to the exported file. The outcomes are reached, not_reached and opted_out. Rows without an outcome are ignored.',
  choose: 'Choose a file',
  report: (count: number): string => `Report outcomes: ${count}`,
  optOuts: (count: number): string =>
    `Consents that this withdraws, in Croupier and at the operator: ${count}. Only the players can give them again.`,
  progress: (done: number, all: number): string => `${done} of ${all} reported`,
  stop: 'Stop',
  stopped: 'Stopped. You can upload the same file again: outcomes that are stored do not change.',
  done: (changed: number, same: number): string => `New outcomes: ${changed}. Already stored: ${same}.`,
  failures: (count: number): string => `Rows that were refused: ${count}`,
  line: (line: number, message: string): string => `Line ${line}: ${message}`,
  problems: {
    columns: 'The file needs a first line with the columns message_id and outcome.',
    id: 'message_id is not a number.',
    outcome: 'The outcome must be reached, not_reached or opted_out.',
    none: 'The file contains no outcome.',
  },
};

const de: typeof en = {
  about: 'Spieler, die Mitarbeiter anrufen oder anschreiben. Kampagnen und einzelne Nachrichten fügen Einträge hinzu.',
  none: 'Es gibt noch keine Liste. Der Schritt „Anrufliste“ einer Kampagne oder eine Nachricht auf der Seite eines Spielers legt den ersten Eintrag an.',
  toCampaigns: 'Kampagnen',
  list: 'Liste',
  channel: 'Kanal',
  open: 'Zu kontaktieren',
  exported: 'Exportiert, ohne Ergebnis',
  ended: 'Beendet',
  all: 'Alle Listen',
  aboutList:
    'Exportieren Sie die Liste, kontaktieren Sie die Spieler, und tragen Sie jedes Ergebnis ein. Ein Export prüft jeden Eintrag: Einträge, die nicht mehr erlaubt sind, werden verworfen.',
  exportCsv: 'Als CSV exportieren',
  exportLines: 'Als JSON-Zeilen exportieren',
  exportNeeds: 'Ein Export enthält persönliche Daten. Dafür brauchen Sie eine Rolle, die persönliche Daten sehen darf.',
  exportDone: (count) =>
    count === 0 ? 'Zurzeit darf kein Spieler kontaktiert werden.' : `Spieler in der Datei: ${count}`,
  noEntries: 'Die Liste hat keine Einträge.',
  noMatch: 'Kein Eintrag passt. Entfernen Sie die Filter.',
  note: 'Notiz',
  campaign: 'Kampagne',
  created: 'Hinzugefügt',
  exportedAt: 'Exportiert',
  expires: 'Läuft ab',
  outcome: 'Ergebnis',
  outcomes: { reached: 'Erreicht', not_reached: 'Nicht erreicht', opted_out: 'Abbestellt' },
  of: (outcome, player) => `${outcome}: ${player}`,
  optOutSure: (player) =>
    `Das widerruft die Einwilligung von ${player} für diesen Kanal, sofort in Croupier und dann beim Betreiber. Nur der Spieler kann sie wieder erteilen.`,
  reported: 'Das Ergebnis ist gespeichert.',
  upload: 'Ergebnisse hochladen',
  uploadAbout:
    'Eine CSV-Datei mit den Spalten message_id und outcome. Fügen Sie zum Beispiel der exportierten Datei die Spalte outcome hinzu. Die Ergebnisse sind reached, not_reached und opted_out. Zeilen ohne Ergebnis werden übergangen.',
  choose: 'Datei wählen',
  report: (count) => `Ergebnisse eintragen: ${count}`,
  optOuts: (count) =>
    `Einwilligungen, die das in Croupier und beim Betreiber widerruft: ${count}. Nur die Spieler können sie wieder erteilen.`,
  progress: (done, all) => `${done} von ${all} eingetragen`,
  stop: 'Anhalten',
  stopped:
    'Angehalten. Sie können dieselbe Datei noch einmal hochladen: Gespeicherte Ergebnisse ändern sich dadurch nicht.',
  done: (changed, same) => `Neue Ergebnisse: ${changed}. Schon gespeichert: ${same}.`,
  failures: (count) => `Abgelehnte Zeilen: ${count}`,
  line: (line, message) => `Zeile ${line}: ${message}`,
  problems: {
    columns: 'Die Datei braucht eine erste Zeile mit den Spalten message_id und outcome.',
    id: 'message_id ist keine Zahl.',
    outcome: 'Das Ergebnis muss reached, not_reached oder opted_out sein.',
    none: 'Die Datei enthält kein Ergebnis.',
  },
};

export const contactLists = { en, de };
