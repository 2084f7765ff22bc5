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
  about: 'How messages reach players, and how each provider fares.',
  names: {
    site: 'Site inbox',
    push: 'Push',
    email: 'E-mail',
    sms: 'SMS',
    webhook: 'Webhooks',
    operator: "Operator's channel",
    telephone: 'Telephone lists',
    post_mail: 'Post lists',
  },
  what: {
    site: 'Inbox, modals and banners on your site, by the site script.',
    push: 'To the devices that players subscribed. Keys are made by themselves.',
    email: 'Through any SMTP server.',
    sms: 'Through Twilio, or any provider that takes an HTTP POST.',
    webhook: 'Signed calls to other systems. Their addresses stand in templates.',
    operator: 'Signed calls to a channel of your own, such as an app.',
    telephone: 'Lists of players to call.',
    post_mail: 'Lists of players to write to.',
  },
  states: { ready: 'ready', off: 'switched off', not_set_up: 'not set up' },
  setUp: 'Set up',
  edit: 'Settings and test',
  byItself: 'Works without settings.',
  changed: 'Changed',
  never: 'No call yet.',
  lastSuccess: 'Last success',
  lastError: 'Last error',
  circuits: {
    closed: 'working',
    paused: 'paused, as it asked',
    open: 'left alone after failures',
    probing: 'tried again',
  },
  back: 'All channels',
  save: 'Save',
  saved: 'Saved. In force within a second.',
  remove: 'Remove',
  removeSure:
    'Messages of this channel wait until they expire, or until it is set up again. The credentials are deleted.',
  removed: 'The settings were removed.',
  test: 'Try it',
  testAbout: {
    email: 'Connects, secures the connection and signs in. With an address of yours, an e-mail is sent there.',
    sms: 'Sends one SMS to a number of yours. It is charged like any other.',
    webhook: 'Makes one signed call with {"test": true}.',
    operator: 'Makes one signed call with "test": true in its data.',
    push: 'Whether the present keys can sign. Send a push template to a test player to see one arrive.',
  },
  to: { email: 'Your address', sms: 'Your number, such as +35699123456', webhook: 'Address to call' },
  connect: 'Connect only',
  send: 'Send a test',
  call: 'Call it',
  check: 'Check the keys',
  works: 'It works',
  fails: 'It does not work',
  outcomes: {
    connected: 'Connected and signed in. Nothing was sent.',
    sent: 'Taken by the provider.',
    retry: 'Not taken. A message would be tried again.',
    failed: 'Refused for good.',
    bounced: 'There is no such address.',
    unknown: 'The provider may have taken it. A message would not be sent again.',
  },
  took: (ms: string) => `${ms} ms`,
  answered: 'Answered',
  guide: 'Settings that are not saved are tried as they stand here.',
  reports: 'Bounces and reports of providers are set up in the configuration file: see the guide "Channels".',
  fields: {
    email: {
      host: ['SMTP server', 'A name or an address.'],
      port: ['Port', '587 with STARTTLS, 465 with TLS.'],
      security: ['Encryption'],
      username: ['User name', 'Empty: the server wants none.'],
      password: ['Password'],
      from_address: ['From: address'],
      from_name: ['From: name', 'Empty: the name that players see.'],
      reply_to: ['Answers go to', 'Empty: the address above.'],
      bounce_address: ['Bounces go to', 'Empty: the address above.'],
      'dkim.domain': ['DKIM: domain', 'Leave the three empty if your provider signs.'],
      'dkim.selector': ['DKIM: selector'],
      'dkim.private_key': ['DKIM: private key (PEM)'],
      per_second: ['E-mails a second, at most'],
      max_connections: ['Connections, at most'],
      call_timeout_ms: ['Milliseconds for one e-mail'],
    },
    sms: {
      provider: ['Provider'],
      account_sid: ['Account SID'],
      key_sid: ['API key SID', 'If an API key signs in; its secret is then the token.'],
      auth_token: ['Auth token'],
      reply_token: ['Auth token of the account, for replies', 'Needed only if an API key signs in.'],
      from: ['Sender', 'A number, a short code, or up to 11 letters and digits.'],
      messaging_service_sid: ['Messaging service SID', 'In place of the sender.'],
      delivery_reports: ['Reports of delivery'],
      api_url: ['Address of the API'],
      url: ['Address that is called'],
      headers: [
        'Headers',
        'JSON, such as {"Authorization": "Bearer ..."}. All of them are secret; leave {} to keep them.',
      ],
      content_type: ['Content type'],
      body: ['Body', 'Liquid: {{ to | json }}, {{ from | json }}, {{ text | json }}, {{ message_id }}.'],
      idempotency_header: ['Header with the id', 'If the provider promises to send each id once.'],
      answer: ['How an answer is read', 'JSON: id, success and refused, as the guide "SMS" has them.'],
      reports: ['How reports are read', 'JSON: id, status, delivered, undelivered, no_such_number.'],
      report_key: ['Key at the end of the address for reports'],
      enabled: ['Switched on'],
      per_second: ['SMS a second, at most'],
      max_connections: ['Calls at once, at most'],
      call_timeout_ms: ['Milliseconds for one call'],
    },
    webhook: {
      secret: ['Secret that signs each call'],
      consent: ['Consent behind it', 'Choose one if a call leads to a contact with the player.'],
      enabled: ['Switched on'],
      per_second: ['Calls a second and host, at most'],
      max_connections: ['Calls at once and host, at most'],
      call_timeout_ms: ['Milliseconds for one call'],
    },
    operator: {
      url: ['Address that takes messages', 'May be a private one.'],
      secret: ['Secret that signs each call'],
      consent: ['Consent behind it', 'Choose one if it leads to a contact with the player.'],
      enabled: ['Switched on'],
      per_second: ['Calls a second, at most'],
      max_connections: ['Calls at once, at most'],
      call_timeout_ms: ['Milliseconds for one call'],
    },
  },
  values: {
    starttls: 'STARTTLS after connecting',
    tls: 'TLS from the first byte',
    none: 'none: only for a server on this machine',
    twilio: 'Twilio',
    http: 'Any provider over HTTP',
  },
};

const de: ChannelWords = {
  about: 'Wie Nachrichten die Spieler erreichen, und wie es jedem Anbieter ergeht.',
  names: {
    site: 'Postfach der Seite',
    push: 'Push',
    email: 'E-Mail',
    sms: 'SMS',
    webhook: 'Webhooks',
    operator: 'Kanal des Betreibers',
    telephone: 'Telefonlisten',
    post_mail: 'Postlisten',
  },
  what: {
    site: 'Postfach, Fenster und Banner auf Ihrer Seite, durch das Skript der Seite.',
    push: 'An die Geräte, die Spieler angemeldet haben. Schlüssel entstehen von selbst.',
    email: 'Über jeden SMTP-Server.',
    sms: 'Über Twilio oder jeden Anbieter, der ein HTTP-POST annimmt.',
    webhook: 'Signierte Aufrufe anderer Systeme. Ihre Adressen stehen in Vorlagen.',
    operator: 'Signierte Aufrufe eines eigenen Kanals, etwa einer App.',
    telephone: 'Listen von Spielern, die angerufen werden.',
    post_mail: 'Listen von Spielern, denen geschrieben wird.',
  },
  states: { ready: 'bereit', off: 'ausgeschaltet', not_set_up: 'nicht eingerichtet' },
  setUp: 'Einrichten',
  edit: 'Einstellungen und Test',
  byItself: 'Braucht keine Einstellungen.',
  changed: 'Geändert',
  never: 'Noch kein Aufruf.',
  lastSuccess: 'Letzter Erfolg',
  lastError: 'Letzter Fehler',
  circuits: {
    closed: 'arbeitet',
    paused: 'pausiert auf eigenen Wunsch',
    open: 'nach Fehlern in Ruhe gelassen',
    probing: 'wird wieder versucht',
  },
  back: 'Alle Kanäle',
  save: 'Speichern',
  saved: 'Gespeichert. Gilt innerhalb einer Sekunde.',
  remove: 'Entfernen',
  removeSure:
    'Nachrichten dieses Kanals warten, bis sie verfallen oder er wieder eingerichtet ist. Die Zugangsdaten werden gelöscht.',
  removed: 'Die Einstellungen sind entfernt.',
  test: 'Ausprobieren',
  testAbout: {
    email:
      'Verbindet, sichert die Verbindung und meldet sich an. Mit einer Adresse von Ihnen geht dorthin eine E-Mail.',
    sms: 'Sendet eine SMS an eine Nummer von Ihnen. Sie kostet wie jede andere.',
    webhook: 'Macht einen signierten Aufruf mit {"test": true}.',
    operator: 'Macht einen signierten Aufruf mit "test": true in den Daten.',
    push: 'Ob die jetzigen Schlüssel signieren. Eine Push-Vorlage an einen Testspieler zeigt, ob sie ankommt.',
  },
  to: { email: 'Ihre Adresse', sms: 'Ihre Nummer, wie +35699123456', webhook: 'Aufgerufene Adresse' },
  connect: 'Nur verbinden',
  send: 'Test senden',
  call: 'Aufrufen',
  check: 'Schlüssel prüfen',
  works: 'Es geht',
  fails: 'Es geht nicht',
  outcomes: {
    connected: 'Verbunden und angemeldet. Gesendet wurde nichts.',
    sent: 'Vom Anbieter angenommen.',
    retry: 'Nicht angenommen. Eine Nachricht würde wieder versucht.',
    failed: 'Endgültig abgelehnt.',
    bounced: 'Diese Adresse gibt es nicht.',
    unknown: 'Vielleicht angenommen. Eine Nachricht ginge nicht noch einmal.',
  },
  took: (ms: string) => `${ms} ms`,
  answered: 'Antwort',
  guide: 'Ausprobiert wird, was hier steht, auch wenn es nicht gespeichert ist.',
  reports: 'Rückläufer und Berichte der Anbieter stehen in der Konfigurationsdatei: siehe Anleitung „Channels“.',
  fields: {
    email: {
      host: ['SMTP-Server', 'Name oder Adresse.'],
      port: ['Port', '587 mit STARTTLS, 465 mit TLS.'],
      security: ['Verschlüsselung'],
      username: ['Benutzername', 'Leer: Der Server will keinen.'],
      password: ['Passwort'],
      from_address: ['Absender: Adresse'],
      from_name: ['Absender: Name', 'Leer: der Name für Spieler.'],
      reply_to: ['Antworten gehen an', 'Leer: die Adresse darüber.'],
      bounce_address: ['Rückläufer gehen an', 'Leer: die Adresse darüber.'],
      'dkim.domain': ['DKIM: Domain', 'Alle drei leer lassen, wenn Ihr Anbieter signiert.'],
      'dkim.selector': ['DKIM: Selektor'],
      'dkim.private_key': ['DKIM: privater Schlüssel (PEM)'],
      per_second: ['E-Mails je Sekunde, höchstens'],
      max_connections: ['Verbindungen, höchstens'],
      call_timeout_ms: ['Millisekunden für eine E-Mail'],
    },
    sms: {
      provider: ['Anbieter'],
      account_sid: ['Account SID'],
      key_sid: ['SID des API-Schlüssels', 'Wenn ein API-Schlüssel anmeldet; sein Geheimnis ist dann das Token.'],
      auth_token: ['Auth-Token'],
      reply_token: ['Auth-Token des Kontos, für Antworten', 'Nur nötig, wenn ein API-Schlüssel anmeldet.'],
      from: ['Absender', 'Nummer, Kurzwahl oder bis zu 11 Buchstaben und Ziffern.'],
      messaging_service_sid: ['Messaging Service SID', 'Anstelle des Absenders.'],
      delivery_reports: ['Zustellberichte'],
      api_url: ['Adresse der API'],
      url: ['Aufgerufene Adresse'],
      headers: ['Header', 'JSON, wie {"Authorization": "Bearer ..."}. Alle sind geheim; {} lässt sie, wie sie sind.'],
      content_type: ['Content-Type'],
      body: ['Inhalt', 'Liquid: {{ to | json }}, {{ from | json }}, {{ text | json }}, {{ message_id }}.'],
      idempotency_header: ['Header mit der Id', 'Wenn der Anbieter verspricht, jede Id einmal zu senden.'],
      answer: ['Wie eine Antwort gelesen wird', 'JSON: id, success und refused, wie in der Anleitung „SMS“.'],
      reports: ['Wie Berichte gelesen werden', 'JSON: id, status, delivered, undelivered, no_such_number.'],
      report_key: ['Schlüssel am Ende der Adresse für Berichte'],
      enabled: ['Eingeschaltet'],
      per_second: ['SMS je Sekunde, höchstens'],
      max_connections: ['Aufrufe zugleich, höchstens'],
      call_timeout_ms: ['Millisekunden für einen Aufruf'],
    },
    webhook: {
      secret: ['Geheimnis, das jeden Aufruf signiert'],
      consent: ['Einwilligung dahinter', 'Wählen, wenn ein Aufruf zu einem Kontakt mit dem Spieler führt.'],
      enabled: ['Eingeschaltet'],
      per_second: ['Aufrufe je Sekunde und Host, höchstens'],
      max_connections: ['Aufrufe zugleich und je Host, höchstens'],
      call_timeout_ms: ['Millisekunden für einen Aufruf'],
    },
    operator: {
      url: ['Adresse, die Nachrichten annimmt', 'Darf privat sein.'],
      secret: ['Geheimnis, das jeden Aufruf signiert'],
      consent: ['Einwilligung dahinter', 'Wählen, wenn er zu einem Kontakt mit dem Spieler führt.'],
      enabled: ['Eingeschaltet'],
      per_second: ['Aufrufe je Sekunde, höchstens'],
      max_connections: ['Aufrufe zugleich, höchstens'],
      call_timeout_ms: ['Millisekunden für einen Aufruf'],
    },
  },
  values: {
    starttls: 'STARTTLS nach dem Verbinden',
    tls: 'TLS vom ersten Byte an',
    none: 'keine: nur für einen Server auf dieser Maschine',
    twilio: 'Twilio',
    http: 'Anderer Anbieter über HTTP',
  },
};

export const channelSettings = { en, de };
