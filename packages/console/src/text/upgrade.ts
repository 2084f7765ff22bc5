/** Texts that are shown if a part of the console cannot be loaded, usually after an upgrade. */
export const upgrade = {
  en: {
    title: 'This part of the console could not be loaded',
    explanation: 'Croupier was probably upgraded while this page was open. Save your changes, then reload the page.',
    reload: 'Reload the page',
    reloaded: 'Croupier was upgraded, so this page was reloaded.',
  },
  de: {
    title: 'Dieser Teil der Konsole konnte nicht geladen werden',
    explanation:
      'Croupier wurde wahrscheinlich aktualisiert, während diese Seite offen war. Speichern Sie Ihre Änderungen und laden Sie die Seite neu.',
    reload: 'Seite neu laden',
    reloaded: 'Croupier wurde aktualisiert. Deshalb wurde diese Seite neu geladen.',
  },
};
