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
  about: 'What holds for this brand. A change is in force within a second.',
  elsewhere: 'Quiet hours, frequency caps, the control group and approvals have a page of their own:',
  contactRules: 'Contact rules',
  pushKeys: 'Push keys',
  sections: {
    identity: 'Name and looks',
    zones: 'Currency and zones',
    messages: 'Messages',
    contact: 'Consents by product',
    ages: 'How long and how old',
    events: 'How events are read',
    reconciliation: 'Reconciliation',
    site: 'Site and sockets',
    names: 'Names in the page and in calls',
  },
  fields: {
    name: ['Name', 'In the console.'],
    display_name: ['Name that players see', 'Empty: the name above.'],
    logo_url: ['Address of the logo', 'On pages that players see. Best a picture that reads on light and dark.'],
    brand_color: ['Colour of buttons', 'Texts on it are made readable by themselves.'],
    support_contact: ['Where players ask for help', 'An e-mail address, a web address or a telephone number.'],
    default_language: ['Default language', 'For players whose own language is unknown or not offered: en, de, pt-BR.'],
    base_currency: ['Base currency', 'Of all sums. Fixed once the brand has players.'],
    time_zone: ['Zone of the reporting days', 'Fixed once the brand has players.'],
    zoneless_timestamps: [
      'Zone of timestamps without an offset',
      'Change it if events come whole hours early or late.',
    ],
    country_time_zones: [
      'Zones of countries',
      'For quiet hours and moments of campaigns, where the details of a player hold no zone. Countries as the operator writes them.',
    ],
    test_players: ['Test players', 'Player ids to whom templates are sent as a test, one a line.'],
    responsible_gambling: [
      'Words about responsible gambling',
      'At the end of marketing messages, by market, country or * for all others. HTML is cleaned.',
    ],
    market: ['Market'],
    language: ['Language'],
    text: ['Text'],
    'message_tracking.email_clicks': ['Count clicks in e-mails', 'Links lead over this installation.'],
    'message_tracking.email_opens': ['Count opens of e-mails', 'A picture of one pixel. A rough number.'],
    'message_tracking.forbidden_in': ['Markets and countries where counting is forbidden', 'One a line.'],
    webhook_allowed: [
      'Origins that webhooks may call though private',
      'One a line, such as https://crm.lan:8443. All others are public addresses by https.',
    ],
    'media.most_files': ['Pictures in the media library, at most'],
    'media.most_megabytes': ['Megabytes of all pictures, at most'],
    product_consents: [
      'Which consent counts for a product on a channel',
      'Where markets ask for a consent by product. Others need the consent of the channel.',
    ],
    product: ['Product'],
    channel: ['Channel'],
    consent: ['Consent'],
    fact_age_hours: ['Age of consents and blocks, hours', 'Older ones are fetched again before a contact.'],
    trigger_age_minutes: ['Age of events that start a contact, minutes', 'Older events on arrival update state alone.'],
    history_days: [
      'History, days',
      'Events, rounds, custom and site events are kept for so long. Raise it before older years are imported.',
    ],
    quarantine_days: ['Quarantine, days', 'Invalid events are kept for so long after they were last sent.'],
    on_invalid: ['Answer to an invalid event', 'It is kept in the quarantine either way.'],
    session_gap_minutes: ['Gap that ends a session, minutes', 'The past follows with a rebuild.'],
    rounds_from: [
      'Rounds come from',
      'Change it if both endpoints are used and do not match. The past follows with a rebuild.',
    ],
    rollback_by_round: [
      'A rollback takes out its whole round',
      'For rollbacks that carry ids of their own. The past follows with a rebuild.',
    ],
    casino_activity_key: [
      'Fields that make two casino events the same',
      'One a line. Change it if the checklist shows conflicts. The past follows with a rebuild.',
    ],
    segmentation_traits: ["Operator's segmentation keys and their traits", 'JSON; the trait guide explains it.'],
    'reconciliation.schedule': ['Compared with the operator'],
    'reconciliation.fields': ['What is compared', 'One a line.'],
    'reconciliation.from_hour': ['From this hour'],
    'reconciliation.until_hour': ['Until this hour', 'Before the first: on the next day.'],
    site_origins: [
      'Origins of your pages',
      'One a line, such as https://casino.example. Change it if browsers report CORS errors.',
    ],
    'site_functions.tracking': ['Pages may record events (Crm.track)'],
    'site_functions.rewards': ['Players see and claim offers'],
    'site_functions.profile': ['Players change their own consents'],
    'site_functions.tracked_per_second': ['Tracked events a second, at most'],
    'push.enabled': ['Push to devices'],
    'push.contact': ['Contact for push services', 'An e-mail or https address. Empty: the one for players.'],
    'push.ends_with_logout_event': [
      "The operator's logout event removes devices",
      'Switch it off if a logout is published for every session that times out.',
    ],
    'push.private_origins': ['Push services at private addresses', 'One a line.'],
    channel_prefix: ['First part of socket channels', 'Change it if your own client expects another name.'],
    staging_url: ['Staging installation', 'Where pages with the staging script go.'],
    'site_script.config_name': ['Object with the configuration'],
    'site_script.api_name': ['Object with the functions'],
    'site_script.loader_name': ['Loader'],
    'site_script.brand_name': ['Global with the code of the brand'],
    'site_script.sid_name': ['Global with the session id'],
    'site_script.file_name': ['Name of the file, without .js'],
    reference_prefix: ['Middle word of reference headers', 'X-Crm-Id, and names that come back in bonus events.'],
  },
  values: {
    reject: 'refused with 400, so that it is sent again',
    accept: 'accepted with 200',
    auto: 'both, field by field',
    casino: 'casino events',
    gameround: 'game round messages',
    nightly: 'every night',
    off: 'only when asked for',
  },
};

const de: BrandWords = {
  about: 'Was für diese Marke gilt. Eine Änderung gilt innerhalb einer Sekunde.',
  elsewhere: 'Ruhezeiten, Obergrenzen, Kontrollgruppe und Freigaben haben eine eigene Seite:',
  contactRules: 'Kontaktregeln',
  pushKeys: 'Push-Schlüssel',
  sections: {
    identity: 'Name und Aussehen',
    zones: 'Währung und Zonen',
    messages: 'Nachrichten',
    contact: 'Einwilligungen je Produkt',
    ages: 'Wie lange und wie alt',
    events: 'Wie Ereignisse gelesen werden',
    reconciliation: 'Abgleich',
    site: 'Seite und Sockets',
    names: 'Namen in der Seite und in Aufrufen',
  },
  fields: {
    name: ['Name', 'In der Konsole.'],
    display_name: ['Name für Spieler', 'Leer: der Name darüber.'],
    logo_url: ['Adresse des Logos', 'Auf Seiten für Spieler. Am besten ein Bild, das hell und dunkel lesbar ist.'],
    brand_color: ['Farbe der Knöpfe', 'Texte darauf werden von selbst lesbar gemacht.'],
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
