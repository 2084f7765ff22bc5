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
  change: 'Change the settings',
  setUp: 'Set the operator up',
  fields: {
    base_url: ['Address of the operator API', 'May be a private one.'],
    'auth.type': ['Sign-in'],
    'auth.header': ['Header'],
    'auth.value': ['Key'],
    'auth.username': ['User name'],
    'auth.password': ['Password'],
    'auth.token_url': ['Address that hands out tokens'],
    'auth.client_id': ['Client id'],
    'auth.client_secret': ['Client secret'],
    'auth.scope': ['Scope'],
    authenticate_path: ['Path that validates session ids'],
    write_blocks: ['Blocks are written there', 'The operator offers POST /userblocks/:userid.'],
    idempotent_bonus: ['Bonus calls may be repeated', 'The operator honours Idempotency-Key.'],
    bonus_500: ['A 5xx answer to a bonus call means'],
    bonus_200_error: ['A 200 with an error object means'],
    bonus_extra_fields: ['Further fields of bonus calls', 'JSON: field and its name in extra.'],
    connect_timeout_ms: ['Milliseconds to connect'],
    call_timeout_ms: ['Milliseconds for one call'],
    reconciliation_silence_ms: ['Milliseconds of silence that end a reconciliation'],
    max_connections: ['Connections from one worker, at most'],
    resync_per_second: ['Players a second of a re-synchronisation'],
  },
  values: {
    api_key: 'API key in a header',
    basic: 'HTTP Basic',
    oauth2: 'OAuth 2.0 client credentials',
    unknown: 'unknown: nothing is repeated',
    not_applied: 'nothing was credited',
    rejected: 'rejected',
  },
};

const de: OperatorWords = {
  title: 'Einstellungen',
  change: 'Einstellungen ändern',
  setUp: 'Betreiber einrichten',
  fields: {
    base_url: ['Adresse der API des Betreibers', 'Darf privat sein.'],
    'auth.type': ['Anmeldung'],
    'auth.header': ['Header'],
    'auth.value': ['Schlüssel'],
    'auth.username': ['Benutzername'],
    'auth.password': ['Passwort'],
    'auth.token_url': ['Adresse, die Token ausgibt'],
    'auth.client_id': ['Client-Id'],
    'auth.client_secret': ['Client-Geheimnis'],
    'auth.scope': ['Scope'],
    authenticate_path: ['Pfad, der Sitzungen prüft'],
    write_blocks: ['Sperren werden dorthin geschrieben', 'Der Betreiber bietet POST /userblocks/:userid.'],
    idempotent_bonus: ['Bonus-Aufrufe dürfen wiederholt werden', 'Der Betreiber achtet Idempotency-Key.'],
    bonus_500: ['Eine 5xx-Antwort auf einen Bonus-Aufruf bedeutet'],
    bonus_200_error: ['Eine 200 mit Fehlerobjekt bedeutet'],
    bonus_extra_fields: ['Weitere Felder von Bonus-Aufrufen', 'JSON: Feld und sein Name in extra.'],
    connect_timeout_ms: ['Millisekunden zum Verbinden'],
    call_timeout_ms: ['Millisekunden für einen Aufruf'],
    reconciliation_silence_ms: ['Millisekunden Stille, die einen Abgleich beenden'],
    max_connections: ['Verbindungen eines Workers, höchstens'],
    resync_per_second: ['Spieler je Sekunde beim erneuten Abholen'],
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
