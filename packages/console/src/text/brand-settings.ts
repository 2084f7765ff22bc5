import type { FieldWords, ValueWords } from '../settings-form/field.ts';

interface BrandWords {
  about: string;
  elsewhere: string;
  contactRules: string;
  pushKeys: string;
  sections: Record<
    'identity' | 'zones' | 'messages' | 'contact' | 'ages' | 'events' | 'reconciliation' | 'site' | 'names',
    string
  >;
  fields: FieldWords;
  values: ValueWords;
}

const en: BrandWords = {
  about: 'Settings of this brand. A change takes effect within a second.',
  elsewhere: 'Other pages:',
  contactRules: 'Quiet hours, frequency caps, control group and approvals',
  pushKeys: 'Push keys',
  sections: {
    identity: 'Name and appearance',
    zones: 'Currency and time zones',
    messages: 'Messages',
    contact: 'Consents by product',
    ages: 'Retention and freshness',
    events: 'Event handling',
    reconciliation: 'Reconciliation',
    site: 'Site and sockets',
    names: 'Names in pages and calls',
  },
  fields: {
    name: ['Name', 'Shown in the console.'],
    display_name: ['Name for players', 'Default: the name above.'],
    logo_url: ['Logo URL', 'Shown on pages for players. Use a picture that is readable on light and dark backgrounds.'],
    brand_color: ['Button color', 'Croupier chooses a readable text color.'],
    support_contact: ['Support contact', 'An e-mail address, URL or telephone number.'],
    default_language: [
      'Default language',
      "Used if a player's language is unknown or has no text. Examples: en, de, pt-BR.",
    ],
    base_currency: ['Base currency', 'The currency of all sums. You cannot change it once the brand has players.'],
    time_zone: ['Time zone of reporting days', 'You cannot change it once the brand has players.'],
    zoneless_timestamps: [
      'Time zone of timestamps without an offset',
      'Change it if events are whole hours early or late.',
    ],
    country_time_zones: [
      'Time zones of countries',
      'Used for quiet hours and campaign times if a player has no time zone. Write countries as the operator does.',
    ],
    test_players: ['Test players', 'The player ids that can receive test messages, one per line.'],
    responsible_gambling: [
      'Responsible gambling text',
      'Added to marketing messages, by market or country. * applies to all others. HTML is sanitized.',
    ],
    market: ['Market'],
    language: ['Language'],
    text: ['Text'],
    'message_tracking.email_clicks': ['Count clicks in e-mails', 'Links go through this installation.'],
    'message_tracking.email_opens': ['Count opens of e-mails', 'Adds a one-pixel image. The number is approximate.'],
    'message_tracking.sms_clicks': ['Count clicks in SMS', 'Links become short links through this installation.'],
    'message_tracking.forbidden_in': ['Markets and countries where counting is forbidden', 'One per line.'],
    webhook_allowed: [
      'Private origins that webhooks can call',
      'One per line, such as https://crm.lan:8443. All others must be public https addresses.',
    ],
    'media.most_files': ['Maximum pictures in the media library'],
    'media.most_megabytes': ['Maximum size of all pictures, MB'],
    product_consents: [
      'Required consent by product and channel',
      'For markets that require consent by product. All other messages require the consent of the channel.',
    ],
    product: ['Product'],
    channel: ['Channel'],
    consent: ['Consent'],
    fact_age_hours: [
      'Maximum age of consents and blocks, hours',
      'Croupier fetches older ones again before a contact.',
    ],
    trigger_age_minutes: [
      'Maximum age of events that start a contact, minutes',
      'Events that arrive later only update state.',
    ],
    history_days: [
      'History, days',
      'Croupier keeps events, rounds, custom and site events this long. Raise it before you import older events.',
    ],
    quarantine_days: ['Quarantine, days', 'Croupier keeps invalid events this long after they were last sent.'],
    on_invalid: ['Answer to an invalid event', 'The quarantine keeps the event in both cases.'],
    session_gap_minutes: ['Gap that ends a session, minutes', 'Rebuild to apply it to the past.'],
    rounds_from: [
      'Rounds come from',
      'Change it if you use both endpoints and they do not match. Rebuild to apply it to the past.',
    ],
    rollback_by_round: [
      'A rollback cancels its whole round',
      'For rollbacks that have their own ids. Rebuild to apply it to the past.',
    ],
    casino_activity_key: [
      'Fields that identify a casino event',
      'One per line. Change it if the checklist shows conflicts. Rebuild to apply it to the past.',
    ],
    segmentation_traits: ["Traits from the operator's segmentation keys", 'JSON. See the guide "Traits".'],
    'reconciliation.schedule': ['Compare with the operator'],
    'reconciliation.fields': ['Fields to compare', 'One per line.'],
    'reconciliation.from_hour': ['Start hour'],
    'reconciliation.until_hour': ['End hour', 'If it is before the start hour, it is on the next day.'],
    site_origins: [
      'Origins of your pages',
      'One per line, such as https://casino.example. Change it if browsers report CORS errors.',
    ],
    'site_functions.tracking': ['Pages can record events (Crm.track)'],
    'site_functions.rewards': ['Players can see and claim offers'],
    'site_functions.profile': ['Players can change their own consents'],
    'site_functions.tracked_per_second': ['Maximum tracked events per second'],
    'push.enabled': ['Push to devices'],
    'push.contact': ['Contact for push services', 'An e-mail address or https URL. Default: the support contact.'],
    'push.ends_with_logout_event': [
      "The operator's logout event removes devices",
      'Turn it off if the operator publishes a logout for each session that times out.',
    ],
    'push.private_origins': ['Push services at private addresses', 'One per line.'],
    channel_prefix: ['Prefix of socket channels', 'Change it if your own client expects another name.'],
    staging_url: ['Staging installation', 'Pages with the staging script connect to this URL.'],
    'site_script.config_name': ['Configuration object'],
    'site_script.api_name': ['Function object'],
    'site_script.loader_name': ['Loader'],
    'site_script.brand_name': ['Global variable with the brand code'],
    'site_script.sid_name': ['Global variable with the session id'],
    'site_script.file_name': ['File name, without .js'],
    reference_prefix: ['Middle word of reference headers', 'Used in X-Crm-Id and in the references of bonus events.'],
  },
  values: {
    reject: 'Refuse it with 400, so the operator sends it again',
    accept: 'Accept it with 200',
    auto: 'Both, field by field',
    casino: 'Casino events',
    gameround: 'Game round messages',
    nightly: 'Every night',
    off: 'Only on request',
  },
};

const de: BrandWords = {
  about: 'Einstellungen dieser Marke. Änderungen gelten innerhalb einer Sekunde.',
  elsewhere: 'Weitere Seiten:',
  contactRules: 'Ruhezeiten, Häufigkeitsgrenzen, Kontrollgruppe und Freigaben',
  pushKeys: 'Push-Schlüssel',
  sections: {
    identity: 'Name und Aussehen',
    zones: 'Währung und Zeitzonen',
    messages: 'Nachrichten',
    contact: 'Einwilligungen je Produkt',
    ages: 'Aufbewahrung und Höchstalter',
    events: 'Umgang mit Ereignissen',
    reconciliation: 'Abgleich',
    site: 'Website und Sockets',
    names: 'Namen auf der Website und in Aufrufen',
  },
  fields: {
    name: ['Name', 'Wird in der Konsole angezeigt.'],
    display_name: ['Name für Spieler', 'Leer: wie oben.'],
    logo_url: [
      'Adresse des Logos',
      'Für Seiten, die Spieler sehen. Wählen Sie ein Bild, das auf hellem und dunklem Grund lesbar ist.',
    ],
    brand_color: ['Farbe der Schaltflächen', 'Croupier wählt eine lesbare Textfarbe.'],
    support_contact: ['Wo Spieler Hilfe finden', 'E-Mail-Adresse, Webadresse oder Telefonnummer.'],
    default_language: [
      'Standardsprache',
      'Wenn die Sprache eines Spielers unbekannt ist oder es in ihr keinen Text gibt. Beispiele: en, de, pt-BR.',
    ],
    base_currency: ['Basiswährung', 'Die Währung aller Summen. Nicht mehr änderbar, sobald die Marke Spieler hat.'],
    time_zone: ['Zeitzone der Berichtstage', 'Nicht mehr änderbar, sobald die Marke Spieler hat.'],
    zoneless_timestamps: [
      'Zeitzone von Zeitangaben ohne UTC-Abweichung',
      'Ändern, wenn Ereignisse um ganze Stunden zu früh oder zu spät erscheinen.',
    ],
    country_time_zones: [
      'Zeitzonen der Länder',
      'Für Ruhezeiten und Zeitpunkte von Kampagnen, wenn ein Spieler keine Zeitzone hat. Schreiben Sie Länder wie der Betreiber.',
    ],
    test_players: ['Testspieler', 'Spieler-IDs, die Testnachrichten erhalten können, eine je Zeile.'],
    responsible_gambling: [
      'Hinweis zum Spielerschutz',
      'Steht am Ende von Werbung, je Markt oder Land; * gilt für alle anderen. HTML wird bereinigt.',
    ],
    market: ['Markt'],
    language: ['Sprache'],
    text: ['Text'],
    'message_tracking.email_clicks': ['Klicks in E-Mails zählen', 'Links führen über diese Installation.'],
    'message_tracking.email_opens': [
      'Öffnungen von E-Mails zählen',
      'Mit einem Bild von einem Pixel. Die Zahl ist ungenau.',
    ],
    'message_tracking.sms_clicks': ['Klicks in SMS zählen', 'Links werden zu Kurzlinks über diese Installation.'],
    'message_tracking.forbidden_in': ['Märkte und Länder, in denen das Zählen verboten ist', 'Eine Angabe je Zeile.'],
    webhook_allowed: [
      'Private Adressen, die Webhooks aufrufen dürfen',
      'Eine je Zeile, zum Beispiel https://crm.lan:8443. Alle anderen müssen öffentliche https-Adressen sein.',
    ],
    'media.most_files': ['Höchstzahl der Bilder in der Mediathek'],
    'media.most_megabytes': ['Höchstgröße aller Bilder zusammen, MB'],
    product_consents: [
      'Nötige Einwilligung je Produkt und Kanal',
      'Für Märkte, die eine Einwilligung je Produkt verlangen. Sonst gilt die Einwilligung des Kanals.',
    ],
    product: ['Produkt'],
    channel: ['Kanal'],
    consent: ['Einwilligung'],
    fact_age_hours: [
      'Höchstalter von Einwilligungen und Sperren, Stunden',
      'Ältere fragt Croupier vor einem Kontakt neu ab.',
    ],
    trigger_age_minutes: [
      'Höchstalter von Ereignissen, die einen Kontakt auslösen, Minuten',
      'Ältere Ereignisse aktualisieren nur die Daten.',
    ],
    history_days: [
      'Historie, Tage',
      'So lange bewahrt Croupier Ereignisse, Runden, eigene Ereignisse und Website-Ereignisse auf. Vor dem Import älterer Ereignisse erhöhen.',
    ],
    quarantine_days: [
      'Quarantäne, Tage',
      'So lange bewahrt Croupier ungültige Ereignisse auf, nachdem sie zuletzt gesendet wurden.',
    ],
    on_invalid: ['Antwort auf ein ungültiges Ereignis', 'In die Quarantäne kommt es in beiden Fällen.'],
    session_gap_minutes: [
      'Pause, die eine Sitzung beendet, Minuten',
      'Für die Vergangenheit ist eine Neuberechnung nötig.',
    ],
    rounds_from: [
      'Runden kommen aus',
      'Ändern, wenn Sie beide Endpunkte verwenden und sie nicht übereinstimmen. Für die Vergangenheit ist eine Neuberechnung nötig.',
    ],
    rollback_by_round: [
      'Ein Rollback storniert die ganze Runde',
      'Für Rollbacks mit eigenen IDs. Für die Vergangenheit ist eine Neuberechnung nötig.',
    ],
    casino_activity_key: [
      'Felder, die ein Casino-Ereignis identifizieren',
      'Eines je Zeile. Ändern, wenn die Checkliste Widersprüche zeigt. Für die Vergangenheit ist eine Neuberechnung nötig.',
    ],
    segmentation_traits: [
      'Merkmale aus den Segmentierungsschlüsseln des Betreibers',
      'JSON. Siehe Anleitung „Traits“.',
    ],
    'reconciliation.schedule': ['Abgleich mit dem Betreiber'],
    'reconciliation.fields': ['Felder des Abgleichs', 'Eines je Zeile.'],
    'reconciliation.from_hour': ['Beginn (Stunde)'],
    'reconciliation.until_hour': ['Ende (Stunde)', 'Liegt das Ende vor dem Beginn, ist der nächste Tag gemeint.'],
    site_origins: [
      'Adressen Ihrer Seiten (Origins)',
      'Eine je Zeile, zum Beispiel https://casino.example. Ändern, wenn Browser CORS-Fehler melden.',
    ],
    'site_functions.tracking': ['Seiten dürfen Ereignisse melden (Crm.track)'],
    'site_functions.rewards': ['Spieler können Angebote sehen und annehmen'],
    'site_functions.profile': ['Spieler können ihre Einwilligungen ändern'],
    'site_functions.tracked_per_second': ['Höchstzahl gemeldeter Ereignisse pro Sekunde'],
    'push.enabled': ['Push-Nachrichten an Geräte'],
    'push.contact': ['Kontakt für Push-Dienste', 'E-Mail- oder https-Adresse. Leer: der Kontakt für Spieler.'],
    'push.ends_with_logout_event': [
      'Das Logout-Ereignis des Betreibers entfernt Geräte',
      'Ausschalten, wenn der Betreiber bei jeder abgelaufenen Sitzung ein Logout meldet.',
    ],
    'push.private_origins': ['Push-Dienste unter privaten Adressen', 'Einer je Zeile.'],
    channel_prefix: ['Präfix der Socket-Kanäle', 'Ändern, wenn Ihr eigener Client einen anderen Namen erwartet.'],
    staging_url: ['Staging-Installation', 'Seiten mit dem Staging-Skript verbinden sich mit dieser Adresse.'],
    'site_script.config_name': ['Konfigurationsobjekt'],
    'site_script.api_name': ['Funktionsobjekt'],
    'site_script.loader_name': ['Ladefunktion'],
    'site_script.brand_name': ['Globale Variable mit dem Kürzel der Marke'],
    'site_script.sid_name': ['Globale Variable mit der Sitzungs-ID'],
    'site_script.file_name': ['Dateiname ohne .js'],
    reference_prefix: ['Mittleres Wort der Referenz-Header', 'Für X-Crm-Id und die Referenzen in Bonusereignissen.'],
  },
  values: {
    reject: 'mit 400 ablehnen, damit der Betreiber es erneut sendet',
    accept: 'mit 200 annehmen',
    auto: 'beiden, Feld für Feld',
    casino: 'Casino-Ereignissen',
    gameround: 'Rundenmeldungen',
    nightly: 'jede Nacht',
    off: 'nur auf Anforderung',
  },
};

export const brandSettings = { en, de };
