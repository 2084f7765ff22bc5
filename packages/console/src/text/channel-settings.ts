import type { FieldWords, ValueWords } from '../settings-form/index.ts';

interface ChannelWords {
  about: string;
  names: Record<string, string>;
  what: Record<string, string>;
  states: Record<'ready' | 'off' | 'not_set_up', string>;
  setUp: string;
  edit: string;
  byItself: string;
  changed: string;
  never: string;
  lastSuccess: string;
  lastError: string;
  circuits: Record<'closed' | 'paused' | 'open' | 'probing', string>;
  back: string;
  save: string;
  saved: string;
  remove: string;
  removeSure: string;
  removed: string;
  test: string;
  testConnection: string;
  connectAbout: string;
  groups: Record<
    'server' | 'provider' | 'sender' | 'signature' | 'reports' | 'consent' | 'limits' | 'request',
    { title: string; about?: string }
  >;
  testAbout: Record<string, string>;
  to: Record<string, string>;
  connect: string;
  send: string;
  call: string;
  check: string;
  works: string;
  fails: string;
  outcomes: Record<string, string>;
  took: (ms: string) => string;
  answered: string;
  guide: string;
  reports: string;
  fields: Record<string, FieldWords>;
  values: ValueWords;
}

const en: ChannelWords = {
  about: 'How messages reach players, and the health of each provider.',
  names: {
    site: 'Site inbox',
    push: 'Push',
    email: 'E-mail',
    sms: 'SMS',
    webhook: 'Webhooks',
    operator: 'Operator channel',
    telephone: 'Telephone lists',
    post_mail: 'Post lists',
  },
  what: {
    site: 'Inbox, modals and banners on your site. Requires the site script.',
    push: 'Notifications on the devices of subscribed players.',
    email: 'E-mail through any SMTP server.',
    sms: 'SMS through Twilio or any provider with an HTTP API.',
    webhook: 'Signed calls to other systems. Templates contain the URLs.',
    operator: 'Signed calls to your own channel, such as an app.',
    telephone: 'Lists of players to call.',
    post_mail: 'Lists of players to write to.',
  },
  states: { ready: 'ready', off: 'off', not_set_up: 'not set up' },
  setUp: 'Set up',
  edit: 'Settings and test',
  byItself: 'Requires no settings.',
  changed: 'Changed',
  never: 'No call yet.',
  lastSuccess: 'Last success',
  lastError: 'Last error',
  circuits: {
    closed: 'working',
    paused: 'paused at the request of the provider',
    open: 'stopped after failures',
    probing: 'retrying',
  },
  back: 'All channels',
  save: 'Save',
  saved: 'Saved. It takes effect within a second.',
  remove: 'Remove',
  removeSure:
    'Croupier deletes the credentials. Messages of this channel wait until they expire or until you set it up again.',
  removed: 'The settings were removed.',
  test: 'Test this channel',
  testConnection: 'Test the connection',
  connectAbout: 'Connects, encrypts and signs in. It sends nothing.',
  groups: {
    server: { title: 'Server' },
    provider: { title: 'Provider' },
    sender: { title: 'Sender' },
    signature: { title: 'Signature (DKIM)', about: 'Required only if your provider does not sign.' },
    reports: { title: 'Bounces, reports and replies' },
    consent: { title: 'Consent' },
    limits: { title: 'Rate and timeouts' },
    request: { title: 'Call' },
  },
  testAbout: {
    email: 'Sends an e-mail to your address.',
    sms: 'Sends one SMS to your number. Your provider charges for it.',
    webhook: 'Sends one signed call with {"test": true}.',
    operator: 'Sends one signed call with "test": true in its data.',
    push: 'Checks whether the current key can sign. To see a push arrive, send a push template to a test player.',
  },
  to: { email: 'Your address', sms: 'Your number, such as +35699123456', webhook: 'URL to call' },
  connect: 'Connect only',
  send: 'Send a test',
  call: 'Send a call',
  check: 'Check the key',
  works: 'It works',
  fails: 'It does not work',
  outcomes: {
    connected: 'Connected and signed in. Nothing was sent.',
    sent: 'The provider accepted it.',
    retry: 'The provider did not accept it. Croupier would retry a message.',
    failed: 'The provider refused it. Croupier would not retry.',
    bounced: 'The address does not exist.',
    unknown: 'The provider may have accepted it. Croupier would not send a message twice.',
  },
  took: (ms: string) => `${ms} ms`,
  answered: 'Answered',
  guide: 'The test uses the settings on this page, even if they are not saved.',
  reports: 'Configure bounces and provider reports in the configuration file. See the guide "Channels".',
  fields: {
    email: {
      host: ['SMTP server', 'Host name or IP address.'],
      port: ['Port', '587 with STARTTLS, 465 with TLS.'],
      security: ['Encryption'],
      username: ['User name', 'Optional.'],
      password: ['Password'],
      from_address: ['From: address'],
      from_name: ['From: name', 'Default: the name of the brand.'],
      reply_to: ['Replies go to', 'Default: the From address.'],
      bounce_address: ['Bounces go to', 'Default: the From address.'],
      'dkim.domain': ['DKIM: domain', 'Leave all three DKIM fields empty if your provider signs.'],
      'dkim.selector': ['DKIM: selector'],
      'dkim.private_key': ['DKIM: private key (PEM)'],
      per_second: ['Maximum e-mails per second'],
      max_connections: ['Maximum connections'],
      call_timeout_ms: ['Timeout of one e-mail, milliseconds'],
    },
    sms: {
      provider: ['Provider'],
      account_sid: ['Account SID'],
      key_sid: ['API key SID', 'Only if you sign in with an API key. The token is then its secret.'],
      auth_token: ['Auth token'],
      reply_token: ['Auth token of the account, for replies', 'Required only with an API key.'],
      from: ['Sender', 'A number, a short code, or up to 11 letters and digits.'],
      messaging_service_sid: ['Messaging service SID', 'Replaces the sender.'],
      delivery_reports: ['Delivery reports'],
      api_url: ['API URL'],
      url: ['URL to call'],
      headers: [
        'Headers',
        'JSON, such as {"Authorization": "Bearer ..."}. They are secret and not shown. Leave {} to keep them.',
      ],
      content_type: ['Content type'],
      body: ['Body', 'Liquid: {{ to | json }}, {{ from | json }}, {{ text | json }}, {{ message_id }}.'],
      idempotency_header: ['Idempotency header', 'Only if the provider sends each id once.'],
      answer: ['Reading an answer', 'JSON: id, success, refused and account. See the guide "SMS".'],
      reports: ['Reading reports', 'JSON: id, reference, status, delivered, undelivered, no_such_number, policy.'],
      replies: [
        'Reading replies',
        'JSON: id, from and text. For each element of a list: results.*.from. A reply STOP withdraws the consent.',
      ],
      report_key: ['Key at the end of the URL for reports and replies'],
      enabled: ['Enabled'],
      per_second: ['Maximum SMS per second'],
      max_connections: ['Maximum parallel calls'],
      call_timeout_ms: ['Timeout of one call, milliseconds'],
    },
    webhook: {
      secret: ['Secret that signs each call'],
      consent: ['Required consent', 'Choose one if a call leads to a contact with the player.'],
      enabled: ['Enabled'],
      per_second: ['Maximum calls per second and host'],
      max_connections: ['Maximum parallel calls per host'],
      call_timeout_ms: ['Timeout of one call, milliseconds'],
    },
    operator: {
      url: ['URL for messages', 'Can be a private address.'],
      secret: ['Secret that signs each call'],
      consent: ['Required consent', 'Choose one if it leads to a contact with the player.'],
      enabled: ['Enabled'],
      per_second: ['Maximum calls per second'],
      max_connections: ['Maximum parallel calls'],
      call_timeout_ms: ['Timeout of one call, milliseconds'],
    },
  },
  values: {
    starttls: 'STARTTLS after connecting',
    tls: 'TLS from the first byte',
    none: 'None: only for a server on this machine',
    twilio: 'Twilio',
    http: 'Any provider over HTTP',
  },
};

const de: ChannelWords = {
  about: 'Wie Nachrichten die Spieler erreichen und ob jeder Anbieter funktioniert.',
  names: {
    site: 'Postfach auf der Website',
    push: 'Push',
    email: 'E-Mail',
    sms: 'SMS',
    webhook: 'Webhooks',
    operator: 'Kanal des Betreibers',
    telephone: 'Telefonlisten',
    post_mail: 'Postlisten',
  },
  what: {
    site: 'Postfach, Fenster und Banner auf Ihrer Website, angezeigt vom Website-Skript.',
    push: 'An die Geräte, die Spieler angemeldet haben. Die Schlüssel werden automatisch erzeugt.',
    email: 'Über jeden SMTP-Server.',
    sms: 'Über Twilio oder jeden Anbieter, der HTTP-POST annimmt.',
    webhook: 'Signierte Aufrufe anderer Systeme. Die Adressen stehen in den Vorlagen.',
    operator: 'Signierte Aufrufe an Ihren eigenen Kanal, etwa eine App.',
    telephone: 'Listen von Spielern, die angerufen werden.',
    post_mail: 'Listen von Spielern, denen geschrieben wird.',
  },
  states: { ready: 'bereit', off: 'ausgeschaltet', not_set_up: 'nicht eingerichtet' },
  setUp: 'Einrichten',
  edit: 'Einstellungen und Test',
  byItself: 'Keine Einstellungen nötig.',
  changed: 'Geändert',
  never: 'Noch kein Aufruf.',
  lastSuccess: 'Letzter Erfolg',
  lastError: 'Letzter Fehler',
  circuits: {
    closed: 'funktioniert',
    paused: 'auf Wunsch des Anbieters angehalten',
    open: 'nach Fehlern nicht mehr aufgerufen',
    probing: 'wird erneut versucht',
  },
  back: 'Alle Kanäle',
  save: 'Speichern',
  saved: 'Gespeichert. Gilt innerhalb einer Sekunde.',
  remove: 'Entfernen',
  removeSure:
    'Nachrichten dieses Kanals warten, bis sie ablaufen oder der Kanal wieder eingerichtet ist. Die Zugangsdaten werden gelöscht.',
  removed: 'Die Einstellungen wurden entfernt.',
  test: 'Testen',
  testConnection: 'Verbindung testen',
  connectAbout: 'Baut eine sichere Verbindung auf und meldet sich an. Es wird nichts gesendet.',
  groups: {
    server: { title: 'Server' },
    provider: { title: 'Anbieter' },
    sender: { title: 'Absender' },
    signature: { title: 'Signatur (DKIM)', about: 'Nur nötig, wenn Ihr Anbieter nicht signiert.' },
    reports: { title: 'Rückläufer, Berichte und Antworten' },
    consent: { title: 'Einwilligung' },
    limits: { title: 'Tempo und Zeitlimits' },
    request: { title: 'Aufruf' },
  },
  testAbout: {
    email: 'Sendet eine E-Mail an Ihre Adresse.',
    sms: 'Sendet eine SMS an Ihre Nummer. Sie kostet so viel wie jede andere.',
    webhook: 'Sendet einen signierten Aufruf mit {"test": true}.',
    operator: 'Sendet einen signierten Aufruf mit "test": true in den Daten.',
    push: 'Prüft, ob die jetzigen Schlüssel signieren. Ob eine Nachricht ankommt, zeigt eine Push-Vorlage an einen Testspieler.',
  },
  to: { email: 'Ihre Adresse', sms: 'Ihre Nummer, zum Beispiel +35699123456', webhook: 'Aufgerufene Adresse' },
  connect: 'Nur verbinden',
  send: 'Test senden',
  call: 'Aufrufen',
  check: 'Schlüssel prüfen',
  works: 'Funktioniert',
  fails: 'Funktioniert nicht',
  outcomes: {
    connected: 'Verbunden und angemeldet. Es wurde nichts gesendet.',
    sent: 'Vom Anbieter angenommen.',
    retry: 'Nicht angenommen. Bei einer Nachricht würde Croupier es erneut versuchen.',
    failed: 'Endgültig abgelehnt.',
    bounced: 'Diese Adresse gibt es nicht.',
    unknown: 'Möglicherweise angenommen. Croupier würde eine Nachricht nicht erneut senden.',
  },
  took: (ms: string) => `${ms} ms`,
  answered: 'Antwort',
  guide: 'Der Test verwendet die Werte auf dieser Seite, auch nicht gespeicherte.',
  reports: 'Rückläufer und Berichte der Anbieter stehen in der Konfigurationsdatei: siehe Anleitung „Channels“.',
  fields: {
    email: {
      host: ['SMTP-Server', 'Name oder Adresse.'],
      port: ['Port', '587 mit STARTTLS, 465 mit TLS.'],
      security: ['Verschlüsselung'],
      username: ['Benutzername', 'Leer: Der Server verlangt keinen.'],
      password: ['Passwort'],
      from_address: ['Absender: Adresse'],
      from_name: ['Absender: Name', 'Leer: der Name für Spieler.'],
      reply_to: ['Antworten gehen an', 'Leer: die Absenderadresse.'],
      bounce_address: ['Rückläufer gehen an', 'Leer: die Absenderadresse.'],
      'dkim.domain': ['DKIM: Domain', 'Lassen Sie alle drei Felder leer, wenn Ihr Anbieter signiert.'],
      'dkim.selector': ['DKIM: Selektor'],
      'dkim.private_key': ['DKIM: privater Schlüssel (PEM)'],
      per_second: ['Höchstzahl der E-Mails pro Sekunde'],
      max_connections: ['Höchstzahl der Verbindungen'],
      call_timeout_ms: ['Zeitlimit für eine E-Mail, Millisekunden'],
    },
    sms: {
      provider: ['Anbieter'],
      account_sid: ['Account SID'],
      key_sid: [
        'SID des API-Schlüssels',
        'Für die Anmeldung mit einem API-Schlüssel; das Auth-Token ist dann sein Geheimnis.',
      ],
      auth_token: ['Auth-Token'],
      reply_token: ['Auth-Token des Kontos, für Antworten', 'Nur nötig bei Anmeldung mit einem API-Schlüssel.'],
      from: ['Absender', 'Nummer, Kurzwahl oder bis zu 11 Buchstaben und Ziffern.'],
      messaging_service_sid: ['Messaging Service SID', 'Anstelle des Absenders.'],
      delivery_reports: ['Zustellberichte'],
      api_url: ['Adresse der API'],
      url: ['Aufgerufene Adresse'],
      headers: [
        'Header',
        'JSON, zum Beispiel {"Authorization": "Bearer ..."}. Alle Werte sind geheim; {} lässt sie unverändert.',
      ],
      content_type: ['Content-Type'],
      body: ['Inhalt', 'Liquid: {{ to | json }}, {{ from | json }}, {{ text | json }}, {{ message_id }}.'],
      idempotency_header: ['Header mit der ID', 'Wenn der Anbieter garantiert, jede ID nur einmal zu senden.'],
      answer: ['Wie eine Antwort gelesen wird', 'JSON: id, success, refused und account, wie in der Anleitung „SMS“.'],
      reports: [
        'Wie Berichte gelesen werden',
        'JSON: id, reference, status, delivered, undelivered, no_such_number, policy.',
      ],
      replies: [
        'Wie Antworten von Spielern gelesen werden',
        'JSON: id, from und text. Für jedes Element einer Liste: results.*.from. STOP widerruft die Einwilligung.',
      ],
      report_key: ['Schlüssel am Ende der Adresse für Berichte und Antworten'],
      enabled: ['Eingeschaltet'],
      per_second: ['Höchstzahl der SMS pro Sekunde'],
      max_connections: ['Höchstzahl gleichzeitiger Aufrufe'],
      call_timeout_ms: ['Zeitlimit für einen Aufruf, Millisekunden'],
    },
    webhook: {
      secret: ['Geheimnis, das jeden Aufruf signiert'],
      consent: ['Nötige Einwilligung', 'Wählen, wenn ein Aufruf zu einem Kontakt mit dem Spieler führt.'],
      enabled: ['Eingeschaltet'],
      per_second: ['Höchstzahl der Aufrufe pro Sekunde und Host'],
      max_connections: ['Höchstzahl gleichzeitiger Aufrufe je Host'],
      call_timeout_ms: ['Zeitlimit für einen Aufruf, Millisekunden'],
    },
    operator: {
      url: ['Adresse, die Nachrichten annimmt', 'Darf privat sein.'],
      secret: ['Geheimnis, das jeden Aufruf signiert'],
      consent: ['Nötige Einwilligung', 'Wählen, wenn der Kanal zu einem Kontakt mit dem Spieler führt.'],
      enabled: ['Eingeschaltet'],
      per_second: ['Höchstzahl der Aufrufe pro Sekunde'],
      max_connections: ['Höchstzahl gleichzeitiger Aufrufe'],
      call_timeout_ms: ['Zeitlimit für einen Aufruf, Millisekunden'],
    },
  },
  values: {
    starttls: 'STARTTLS nach dem Verbinden',
    tls: 'TLS vom ersten Byte an',
    none: 'keine: nur für einen Server auf diesem Rechner',
    twilio: 'Twilio',
    http: 'Anderer Anbieter über HTTP',
  },
};

export const channelSettings = { en, de };
