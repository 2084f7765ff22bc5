/**
 * German titles of refused calls, by their code (docs/errors.md). They replace details that the platform did not write
 * in German.
 */
export const germanProblems: Readonly<Record<string, string>> = {
  malformed_json: 'Der Inhalt ist kein gültiges JSON',
  invalid_event: 'Das Ereignis ist nicht gültig',
  invalid_request: 'Die Anfrage ist nicht gültig',
  unauthorized: 'Die Anmeldung fehlt oder ist abgelaufen',
  forbidden: 'Dieses Konto darf das nicht',
  second_factor_required: 'Ein zweiter Faktor ist erforderlich',
  sign_in_again: 'Bestätigen Sie, wer Sie sind',
  not_found: 'Nicht gefunden',
  method_not_allowed: 'Die Adresse erlaubt diese Methode nicht',
  request_timeout: 'Die Anfrage ist nicht rechtzeitig vollständig angekommen',
  conflict: 'Der Zustand hat sich inzwischen geändert',
  body_too_large: 'Der Inhalt ist zu groß',
  unsupported_content_type: 'Der Inhaltstyp ist nicht JSON',
  too_many_requests: 'Zu viele Anfragen',
  headers_too_large: 'Adresse und Kopfzeilen sind zu groß',
  internal_error: 'Interner Fehler',
  store_unavailable: 'Die Datenbank ist nicht erreichbar',
  queue_full: 'Ereignisse treffen schneller ein, als sie gespeichert werden können',
  shutting_down: 'Der Server wird beendet',
};

interface ShownProblem {
  status: number;
  code: string;
  title: string;
  detail: string;
  /**
   * Language of the detail (header Content-Language). Null means English, because only the console API translates its
   * details.
   */
  writtenIn: string | null;
}

/** Returns the message of a call that got no answer. Browsers only report that it failed, and only in English. Pure. */
export const unansweredMessage = (language: string): string =>
  language === 'de'
    ? 'Croupier antwortet nicht. Prüfen Sie Ihre Verbindung und ob Croupier läuft.'
    : 'Croupier does not answer. Check your connection, and whether Croupier is running.';

/**
 * Returns the message of a refused call. A detail that is not in German is replaced by the German title of its code.
 * Pure.
 */
export function problemMessage(language: string, { status, code, title, detail, writtenIn }: ShownProblem): string {
  if (language !== 'de') return detail || title || `The server answered with status ${status}. Try again in a moment.`;
  if (detail !== '' && writtenIn === 'de') return detail;
  const german = germanProblems[code];
  return german === undefined
    ? detail || `Der Server hat mit Status ${status} geantwortet. Versuchen Sie es gleich noch einmal.`
    : `${german}.`;
}
