import type { FieldWords, ValueWords } from '../settings-form/index.ts';

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
      'Croupier keeps events, rounds, custom and site events this long. Raise it before you import older years.',
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
  about: 'Was für diese Marke gilt. Eine Änderung gilt innerhalb einer Sekunde.',
  elsewhere: 'Weitere Seiten:',
  contactRules: 'Ruhezeiten, Obergrenzen, Kontrollgruppe und Freigaben',
  pushKeys: 'Push-Schlüssel',
  sections: {
    identity: 'Name und Aussehen',
    zones: 'Währung und Zonen',
    messages: 'Nachrichten',
    contact: 'Einwilligungen je Produkt',
    ages: 'Aufbewahrung und Alter',
    events: 'Umgang mit Ereignissen',
    reconciliation: 'Abgleich',
    site: 'Seite und Sockets',
    names: 'Namen in der Seite und in Aufrufen',
  },
  fields: {
    name: ['Name', 'In der Konsole.'],
    display_name: ['Name für Spieler', 'Leer: der Name darüber.'],
    logo_url: ['Adresse des Logos', 'Auf Seiten für Spieler. Wählen Sie ein Bild, das hell und dunkel lesbar ist.'],
    brand_color: ['Farbe der Knöpfe', 'Croupier wählt eine lesbare Textfarbe.'],
    support_contact: ['Wo Spieler Hilfe finden', 'E-Mail-Adresse, Webadresse oder Telefonnummer.'],
    default_language: ['Standardsprache', 'Für Spieler, deren Sprache unbekannt ist oder fehlt: en, de, pt-BR.'],
    base_currency: ['Basiswährung', 'Aller Summen. Steht fest, sobald die Marke Spieler hat.'],
    time_zone: ['Zone der Berichtstage', 'Steht fest, sobald die Marke Spieler hat.'],
    zoneless_timestamps: [
      'Zone von Zeitangaben ohne Abstand',
      'Ändern, wenn Ereignisse ganze Stunden zu früh oder spät kommen.',
    ],
    country_time_zones: [
      'Zonen der Länder',
      'Für Ruhezeiten und Zeitpunkte von Kampagnen, wo die Daten eines Spielers keine Zone haben. Länder, wie der Betreiber sie schreibt.',
    ],
    test_players: ['Testspieler', 'Spieler-Ids, an die Vorlagen zum Test gehen, eine je Zeile.'],
    responsible_gambling: [
      'Hinweis zum Spielerschutz',
      'Am Ende von Werbung, je Markt, Land oder * für alle anderen. HTML wird bereinigt.',
    ],
    market: ['Markt'],
    language: ['Sprache'],
    text: ['Text'],
    'message_tracking.email_clicks': ['Klicks in E-Mails zählen', 'Links führen über diese Installation.'],
    'message_tracking.email_opens': ['Öffnen von E-Mails zählen', 'Ein Bild von einem Pixel. Eine grobe Zahl.'],
    'message_tracking.sms_clicks': ['Klicks in SMS zählen', 'Links werden zu Kurzlinks über diese Installation.'],
    'message_tracking.forbidden_in': ['Märkte und Länder, in denen Zählen verboten ist', 'Eines je Zeile.'],
    webhook_allowed: [
      'Private Adressen, die Webhooks aufrufen dürfen',
      'Eine je Zeile, wie https://crm.lan:8443. Alle anderen sind öffentlich und mit https.',
    ],
    'media.most_files': ['Bilder in der Mediathek, höchstens'],
    'media.most_megabytes': ['Megabyte aller Bilder, höchstens'],
    product_consents: [
      'Welche Einwilligung für ein Produkt auf einem Kanal zählt',
      'Wo Märkte eine Einwilligung je Produkt verlangen. Sonst zählt die des Kanals.',
    ],
    product: ['Produkt'],
    channel: ['Kanal'],
    consent: ['Einwilligung'],
    fact_age_hours: ['Alter von Einwilligungen und Sperren, Stunden', 'Ältere werden vor einem Kontakt neu geholt.'],
    trigger_age_minutes: [
      'Alter von Ereignissen, die einen Kontakt auslösen, Minuten',
      'Ältere ändern bei Ankunft nur den Stand.',
    ],
    history_days: [
      'Historie, Tage',
      'So lange bleiben Ereignisse, Runden, eigene und Seitenereignisse. Vor dem Import älterer Jahre erhöhen.',
    ],
    quarantine_days: ['Quarantäne, Tage', 'So lange bleiben ungültige Ereignisse nach dem letzten Senden.'],
    on_invalid: ['Antwort auf ein ungültiges Ereignis', 'In die Quarantäne kommt es in jedem Fall.'],
    session_gap_minutes: [
      'Lücke, die eine Sitzung beendet, Minuten',
      'Die Vergangenheit folgt mit einer Neuberechnung.',
    ],
    rounds_from: [
      'Runden kommen aus',
      'Ändern, wenn beide Endpunkte genutzt werden und nicht passen. Die Vergangenheit folgt mit einer Neuberechnung.',
    ],
    rollback_by_round: [
      'Ein Rollback nimmt die ganze Runde zurück',
      'Für Rollbacks mit eigenen Ids. Die Vergangenheit folgt mit einer Neuberechnung.',
    ],
    casino_activity_key: [
      'Felder, die zwei Casino-Ereignisse gleich machen',
      'Eines je Zeile. Ändern, wenn die Checkliste Konflikte zeigt. Die Vergangenheit folgt mit einer Neuberechnung.',
    ],
    segmentation_traits: [
      'Segmentierung des Betreibers und ihre Merkmale',
      'JSON; die Anleitung der Merkmale erklärt es.',
    ],
    'reconciliation.schedule': ['Mit dem Betreiber verglichen'],
    'reconciliation.fields': ['Was verglichen wird', 'Eines je Zeile.'],
    'reconciliation.from_hour': ['Ab dieser Stunde'],
    'reconciliation.until_hour': ['Bis zu dieser Stunde', 'Vor der ersten: am nächsten Tag.'],
    site_origins: [
      'Herkunft Ihrer Seiten',
      'Eine je Zeile, wie https://casino.example. Ändern, wenn Browser CORS-Fehler melden.',
    ],
    'site_functions.tracking': ['Seiten dürfen Ereignisse melden (Crm.track)'],
    'site_functions.rewards': ['Spieler sehen Angebote und nehmen sie an'],
    'site_functions.profile': ['Spieler ändern ihre Einwilligungen'],
    'site_functions.tracked_per_second': ['Gemeldete Ereignisse je Sekunde, höchstens'],
    'push.enabled': ['Push an Geräte'],
    'push.contact': ['Kontakt für Push-Dienste', 'E-Mail- oder https-Adresse. Leer: die für Spieler.'],
    'push.ends_with_logout_event': [
      'Das Logout-Ereignis des Betreibers entfernt Geräte',
      'Ausschalten, wenn bei jeder abgelaufenen Sitzung ein Logout gemeldet wird.',
    ],
    'push.private_origins': ['Push-Dienste unter privaten Adressen', 'Einer je Zeile.'],
    channel_prefix: ['Anfang der Socket-Kanäle', 'Ändern, wenn Ihr eigener Client einen anderen Namen erwartet.'],
    staging_url: ['Staging-Installation', 'Wohin Seiten mit dem Staging-Skript gehen.'],
    'site_script.config_name': ['Objekt mit der Konfiguration'],
    'site_script.api_name': ['Objekt mit den Funktionen'],
    'site_script.loader_name': ['Lader'],
    'site_script.brand_name': ['Variable mit dem Kürzel der Marke'],
    'site_script.sid_name': ['Variable mit der Sitzungs-Id'],
    'site_script.file_name': ['Name der Datei, ohne .js'],
    reference_prefix: [
      'Mittleres Wort der Referenz-Header',
      'X-Crm-Id, und Namen, die in Bonus-Ereignissen zurückkommen.',
    ],
  },
  values: {
    reject: 'mit 400 abgelehnt, damit es noch einmal kommt',
    accept: 'mit 200 angenommen',
    auto: 'beidem, Feld für Feld',
    casino: 'Casino-Ereignissen',
    gameround: 'Nachrichten über Runden',
    nightly: 'jede Nacht',
    off: 'nur auf Wunsch',
  },
};

export const brandSettings = { en, de };
