import type { FieldWords, ValueWords } from '../settings-form/index.ts';

interface OperatorWords {
  title: string;
  change: string;
  setUp: string;
  fields: FieldWords;
  values: ValueWords;
}

const en: OperatorWords = {
  title: 'Settings',
  change: 'Change settings',
  setUp: 'Set up the operator',
  fields: {
    base_url: ['Operator API URL', 'Can be a private address.'],
    'auth.type': ['Authentication'],
    'auth.header': ['Header'],
    'auth.value': ['Key'],
    'auth.username': ['User name'],
    'auth.password': ['Password'],
    'auth.token_url': ['Token URL'],
    'auth.client_id': ['Client id'],
    'auth.client_secret': ['Client secret'],
    'auth.scope': ['Scope'],
    authenticate_path: ['Path that validates session ids'],
    write_blocks: ['Write blocks to the operator', 'Requires POST /userblocks/:userid.'],
    idempotent_bonus: ['Retry bonus calls', 'Only if the operator honors Idempotency-Key.'],
    bonus_500: ['A 5xx answer to a bonus call means'],
    bonus_200_error: ['A 200 with an error object means'],
    bonus_extra_fields: ['Additional fields of bonus calls', 'JSON: each field and its name in extra.'],
    connect_timeout_ms: ['Connection timeout, milliseconds'],
    call_timeout_ms: ['Timeout of one call, milliseconds'],
    reconciliation_silence_ms: ['Timeout of a silent reconciliation, milliseconds'],
    max_connections: ['Maximum connections per worker'],
    resync_per_second: ['Resynchronized players per second'],
    'test_user.user_id': ['Test user', 'A player id at the operator. "Test now" and test messages use it.'],
    'test_user.sid': [
      'Session id of the test user',
      'Pages sign in as the test user with it. It is never sent to the operator.',
    ],
  },
  values: {
    api_key: 'API key in a header',
    basic: 'HTTP Basic',
    oauth2: 'OAuth 2.0 client credentials',
    unknown: 'Unknown: Croupier does not retry',
    not_applied: 'Nothing was credited',
    rejected: 'Rejected',
  },
};

const de: OperatorWords = {
  title: 'Einstellungen',
  change: 'Einstellungen ändern',
  setUp: 'Betreiber einrichten',
  fields: {
    base_url: ['Adresse der API des Betreibers', 'Darf privat sein.'],
    'auth.type': ['Authentifizierung'],
    'auth.header': ['Header'],
    'auth.value': ['Schlüssel'],
    'auth.username': ['Benutzername'],
    'auth.password': ['Passwort'],
    'auth.token_url': ['Adresse für Tokens'],
    'auth.client_id': ['Client-ID'],
    'auth.client_secret': ['Client-Geheimnis'],
    'auth.scope': ['Scope'],
    authenticate_path: ['Pfad, der Sitzungen prüft'],
    write_blocks: ['Sperren an den Betreiber senden', 'Der Betreiber muss POST /userblocks/:userid anbieten.'],
    idempotent_bonus: [
      'Bonusaufrufe können gefahrlos wiederholt werden',
      'Der Betreiber muss Idempotency-Key beachten.',
    ],
    bonus_500: ['Eine 5xx-Antwort auf einen Bonusaufruf bedeutet'],
    bonus_200_error: ['Eine 200-Antwort mit Fehlerobjekt bedeutet'],
    bonus_extra_fields: ['Weitere Felder von Bonusaufrufen', 'JSON: jedes Feld mit seinem Namen in extra.'],
    connect_timeout_ms: ['Zeitlimit für die Verbindung, Millisekunden'],
    call_timeout_ms: ['Zeitlimit für einen Aufruf, Millisekunden'],
    reconciliation_silence_ms: ['Abgleich beenden, wenn so lange nichts eintrifft, Millisekunden'],
    max_connections: ['Höchstzahl der Verbindungen eines Workers'],
    resync_per_second: ['Neu abgefragte Spieler pro Sekunde'],
    'test_user.user_id': [
      'Testspieler',
      'Eine Spieler-ID beim Betreiber, für Tests der Endpunkte und von Nachrichten.',
    ],
    'test_user.sid': [
      'Sitzungs-ID des Testspielers',
      'Damit melden sich Seiten als Testspieler an. Sie wird nie an den Betreiber gesendet.',
    ],
  },
  values: {
    api_key: 'API-Schlüssel in einem Header',
    basic: 'HTTP Basic',
    oauth2: 'OAuth 2.0 Client Credentials',
    unknown: 'unbekannt: nichts wird wiederholt',
    not_applied: 'nichts wurde gutgeschrieben',
    rejected: 'abgelehnt',
  },
};

export const operatorSettings = { en, de };
