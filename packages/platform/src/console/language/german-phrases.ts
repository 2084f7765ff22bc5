import { germanAnswerPhrases } from './german-answer-phrases.ts';

/*
 * German texts of explanations that other parts of the platform write in English: errors of rules, campaigns, settings, templates
 * and messages. The key is the English text, as in gettext: it is the stable code of the explanation. {1}, {2} and so on stand for
 * its values, and {=1} for a value that must itself be a phrase of this table. A leading {1} contains no space.
 *
 * A test reads the sources of these explanations, and fails for a text without an entry.
 */
export const germanPhrases: Readonly<Record<string, string>> = {
  // Rules (packages/rules).
  'a rule can have at most {1} conditions; this one has {2}':
    'Eine Regel kann höchstens {1} Bedingungen haben; diese hat {2}',
  'a rule can have at most {1} groups': 'Eine Regel kann höchstens {1} Gruppen haben',
  'must not contain a NUL character or half a character': 'darf kein NUL-Zeichen und kein halbes Zeichen enthalten',
  'must be a group: { "combinator": "and", "rules": [...] }':
    'muss eine Gruppe sein: { "combinator": "and", "rules": [...] }',
  'groups can be nested at most {1} deep': 'Gruppen können höchstens {1} Ebenen tief verschachtelt sein',
  'must be "and" or "or"': 'muss „and“ oder „or“ sein',
  'must be true or false': 'muss true oder false sein',
  'must be a list of conditions and groups': 'muss eine Liste von Bedingungen und Gruppen sein',
  'must be a condition or a group': 'muss eine Bedingung oder eine Gruppe sein',
  'must have a field': 'muss ein Feld haben',
  'facts cannot be counted within a condition on a fact':
    'In einer Bedingung für einen Vorgang können keine Vorgänge gezählt werden',
  'unknown field "{1}"; GET rule-fields lists the fields':
    'Das Feld „{1}“ ist unbekannt; GET rule-fields listet die Felder auf',
  '{1} allows these operators: {2}': '{1} erlaubt diese Operatoren: {2}',
  '{1} is not allowed for a field of a fact; use "within"':
    '{1} ist für ein Feld eines Vorgangs nicht erlaubt; verwenden Sie „within“',
  'unknown fact "{1}"; GET rule-fields lists the facts':
    'Der Vorgang „{1}“ ist unbekannt; GET rule-fields listet die Vorgänge auf',
  'must be { "mode": {1}, "threshold": number }': 'muss { "mode": {1}, "threshold": Zahl } sein',
  'must be a whole number from 0 to {1}': 'muss eine ganze Zahl von 0 bis {1} sein',
  'must be an ISO 8601 duration from {1} (PT1M) to {2} (P366D)':
    'muss eine Dauer nach ISO 8601 von einer Minute (PT1M) bis 366 Tage (P366D) sein',
  'must be a duration of 0 to 366 whole days, for example P7D':
    'muss eine Dauer von 0 bis 366 ganzen Tagen sein, zum Beispiel P7D',
  'must be two values: the lowest and the highest': 'muss aus zwei Werten bestehen: dem niedrigsten und dem höchsten',
  'both values: {=1}': 'beide Werte: {1}',
  'must begin with the lowest value': 'muss mit dem niedrigsten Wert beginnen',
  'must be a list of 1 to {1} values': 'muss eine Liste von 1 bis {1} Werten sein',
  'each value {=1}': 'jeder Wert {1}',
  'must be an ISO 8601 duration from PT1M to P366D, in weeks, days, hours, minutes or seconds, for example P7D':
    'muss eine Dauer nach ISO 8601 von PT1M bis P366D sein, in Wochen, Tagen, Stunden, Minuten oder Sekunden, zum Beispiel P7D',
  'must be a string that is not empty': 'muss ein Text sein, der nicht leer ist',
  'must be a number or a decimal string with at most 18 digits before and 12 after the point':
    'muss eine Zahl mit höchstens 18 Stellen vor und 12 nach dem Dezimalpunkt sein',
  'must be a date (2026-05-04) or an RFC 3339 date-time with an offset (2026-05-04T12:00:00Z)':
    'muss ein Datum (2026-05-04) oder ein Zeitpunkt nach RFC 3339 mit UTC-Abweichung (2026-05-04T12:00:00Z) sein',
  'must be a date, for example 2026-05-04': 'muss ein Datum sein, zum Beispiel 2026-05-04',
  'must be true, false or "unknown"': 'muss true, false oder „unknown“ sein',
  '{1} must not depend on itself': '{1} darf nicht von sich selbst abhängen',
  '{1} must not depend on itself (through {2})': '{1} darf nicht von sich selbst abhängen (über {2})',

  // Campaign documents (packages/campaigns).
  '{1} is in the past, so no player enters': '{1} liegt in der Vergangenheit, deshalb tritt kein Spieler ein',
  'a campaign must be an object': 'Eine Kampagne muss ein Objekt sein',
  'code must have 1 to 64 characters of a-z, 0-9, _ and -, and start with a letter or digit':
    'Der Code muss 1 bis 64 Zeichen haben (a-z, 0-9, _ und -) und mit einem Buchstaben oder einer Ziffer beginnen',
  'code must be {1}': 'Der Code muss {1} sein',
  'name is required': 'Der Name fehlt',
  'purpose must be marketing or service': 'purpose muss marketing oder service sein',
  'priority must be a whole number from 0 to 100': 'Die Priorität muss eine ganze Zahl von 0 bis 100 sein',
  'two steps have the id {1}': 'Zwei Schritte haben die ID {1}',
  'a campaign can have at most {1} steps; this one has {2}':
    'Eine Kampagne kann höchstens {1} Schritte haben; diese hat {2}',
  'entry is required: an event, a segment, a schedule, or api':
    'Der Eintritt fehlt: ein Ereignis, ein Segment, ein Zeitplan oder api',
  'the brand has no segment {1}': 'Die Marke hat kein Segment {1}',
  'the brand has no segment undefined': 'Das Segment fehlt',
  'on must be entered or left': 'on muss entered oder left sein',
  'entry must be an event, a segment, a schedule, or api: true':
    'Der Eintritt muss ein Ereignis, ein Segment, ein Zeitplan oder api: true sein',
  'schedule must be { at } or { every, at }': 'Der Zeitplan muss { at } oder { every, at } sein',
  'write player or brand': 'Schreiben Sie player oder brand',
  'from requires every': 'from erfordert every',
  'write a date and a time such as 2026-12-24T18:00, or every and a time':
    'Schreiben Sie Datum und Uhrzeit wie 2026-12-24T18:00, oder every und eine Uhrzeit',
  'write whole days, months or years, such as P1D, P7D, P1M or P1Y':
    'Schreiben Sie ganze Tage, Monate oder Jahre wie P1D, P7D, P1M oder P1Y',
  'write a time of day such as 10:00': 'Schreiben Sie eine Uhrzeit wie 10:00',
  'write a date such as 2026-12-24': 'Schreiben Sie ein Datum wie 2026-12-24',
  'reentry must be { times } or { after }': 'Der Wiedereintritt muss { times } oder { after } sein',
  'times must be a whole number from 1, or unlimited': 'times muss eine ganze Zahl ab 1 oder unlimited sein',
  'halt must be an object of limits, such as { failed: 5 }':
    'halt muss ein Objekt mit Grenzwerten sein, zum Beispiel { failed: 5 }',
  '{1} must be a percentage from 0 to 100': '{1} muss ein Prozentsatz von 0 bis 100 sein',
  '{1} must be a whole number from 1': '{1} muss eine ganze Zahl ab 1 sein',
  'must be an object with an event': 'muss ein Objekt mit einem Ereignis sein',
  'the event {1} does not exist': 'Das Ereignis {1} gibt es nicht',
  'the event undefined does not exist': 'Das Ereignis fehlt',
  'the {1} of the event {2} is {3}, never {4}': 'Das Feld {1} des Ereignisses {2} hat nie den Wert {4}. Möglich: {3}',
  'steps must be a list': 'Die Schritte müssen eine Liste sein',
  'a step must be an object': 'Ein Schritt muss ein Objekt sein',
  'id must have 1 to 64 characters of a-z, 0-9, _ and -, and start with a letter or digit':
    'Die ID muss 1 bis 64 Zeichen haben (a-z, 0-9, _ und -) und mit einem Buchstaben oder einer Ziffer beginnen',
  'a step must be one of {1}': 'Ein Schritt muss einer von diesen sein: {1}',
  'a tag must have 1 to 64 letters, digits, _ and -':
    'Eine Markierung muss 1 bis 64 Buchstaben, Ziffern, _ und - haben',
  '{1} must be an object': '{1} muss ein Objekt sein',
  'must be an object': 'muss ein Objekt sein',
  'channel must be one of {1}': 'Der Kanal muss einer von diesen sein: {1}',
  'amount must be a decimal string, such as "10.00"': 'Der Betrag muss eine Dezimalzahl sein, zum Beispiel „10.00“',
  'currency is required': 'Die Währung fehlt',
  'write a time of day such as 18:00, or a date such as 2026-12-24 or 2026-12-24T18:00':
    'Schreiben Sie eine Uhrzeit wie 18:00, oder ein Datum wie 2026-12-24 oder 2026-12-24T18:00',
  'timeout is required': 'Die Frist fehlt',
  '{1} must be a list': '{1} muss eine Liste sein',
  '{1} must be true or false': '{1} muss true oder false sein',
  '{1} must have 1 to 200 characters': '{1} muss 1 bis 200 Zeichen haben',
  'currency must be a code of 3 to 10 letters and digits, such as EUR':
    'Die Währung muss ein Code aus 3 bis 10 Buchstaben und Ziffern sein, wie EUR',
  'otherwise must be the last arm, because no later arm is reached':
    'otherwise muss der letzte Zweig sein, weil kein späterer Zweig erreicht wird',
  'a control arm receives nothing, so it cannot have steps':
    'Ein Kontrollzweig erhält nichts, deshalb kann er keine Schritte haben',
  'share must be a percentage': 'Der Anteil muss ein Prozentsatz sein',
  'two arms have the name {1}': 'Zwei Zweige haben den Namen {1}',
  'the shares of a split must add up to 100 percent; these add up to {1}':
    'Die Anteile einer Aufteilung müssen zusammen 100 Prozent ergeben; diese ergeben {1}',
  'the brand has no template {1}': 'Die Marke hat keine Vorlage {1}',
  'the brand has no template undefined': 'Die Vorlage fehlt',
  'the template {1} has the channel {2}': 'Die Vorlage {1} hat den Kanal {2}',
  'the template {1} is marketing, so a service campaign cannot use it':
    'Die Vorlage {1} ist Marketing, also kann eine Servicekampagne sie nicht verwenden',
  'wagering must be the number of times that the bonus has to be wagered':
    'wagering muss angeben, wie oft der Bonus umgesetzt werden muss',
  'bonus_code is required': 'Der Bonus-Code fehlt',
  'products must be a list of names, such as casino': 'Die Produkte müssen eine Liste von Namen sein, wie casino',
  'must be an ISO 8601 duration from PT1S to P366D, such as PT1H':
    'muss eine Dauer nach ISO 8601 von PT1S bis P366D sein, zum Beispiel PT1H',
  '{1} is unknown': '{1} ist unbekannt',
  '{1} is empty: no step before {2} is a credit or an offer':
    '{1} ist leer: Kein Schritt vor {2} ist eine Gutschrift oder ein Angebot',
  '{1} is empty: an offer has {2}': '{1} ist leer: Ein Angebot hat {2}',
  '{1} is empty: the campaign does not start with an event':
    '{1} ist leer: Die Kampagne beginnt nicht mit einem Ereignis',
  '{1} is empty: {2} has no {3}': '{1} ist leer: {2} hat kein Feld {3}',
  'it may reach {1} players, above the limit of {2}': 'Sie kann {1} Spieler erreichen; die Grenze ist {2}',
  'the cost of the bonuses of {1} is unknown': 'Die Kosten der Boni von {1} sind unbekannt',
  'players may enter again without limit, so the cost of the bonuses is unlimited':
    'Spieler können unbegrenzt wieder eintreten, deshalb sind die Kosten der Boni unbegrenzt',
  'new players may enter for as long as it is live, so the cost of the bonuses is unlimited; {1} limits it':
    'Neue Spieler können eintreten, solange sie in Kraft ist, deshalb sind die Kosten der Boni unbegrenzt; {1} begrenzt sie',
  '{1} of {2} runs failed; the limit is {3} percent':
    'Fehlgeschlagene Durchgänge: {1} von {2}; die Grenze ist {3} Prozent',
  '{1} of {2} runs had an effect withheld; the limit is {3} percent':
    'Durchgänge mit zurückgehaltenen Wirkungen: {1} von {2}; die Grenze ist {3} Prozent',
  '{1} of {2} players withdrew a consent; the limit is {3} percent':
    'Spieler mit widerrufener Einwilligung: {1} von {2}; die Grenze ist {3} Prozent',
  '{1} of {2} players reported a message as spam; the limit is {3} percent':
    'Spieler, die eine Nachricht als Spam gemeldet haben: {1} von {2}; die Grenze ist {3} Prozent',
  'more than {1} runs entered within a day; this is the limit':
    'Mehr als {1} Eintritte an einem Tag; das ist die Grenze',
  'its bonuses may cost {1} {2} a day, above the limit of {3}':
    'Ihre Boni können am Tag {1} {2} kosten; die Grenze ist {3}',
  'its bonuses may cost {1} {2}, above the limit of {3}': 'Ihre Boni können {1} {2} kosten; die Grenze ist {3}',

  // Settings of brands and channels.
  'is not a setting': 'ist keine Einstellung',
  'is not a setting: correct its spelling or remove it':
    'ist keine Einstellung: Korrigieren Sie die Schreibweise oder entfernen Sie den Eintrag',
  'requires both from and to, or neither': 'erfordert entweder Beginn und Ende oder keines von beiden',
  'must be an ISO 8601 duration from PT1M to P31D, such as P1D, not {1}':
    'muss eine Dauer nach ISO 8601 von PT1M bis P31D sein, wie P1D, nicht {1}',
  'must be an IANA zone such as Europe/Malta or UTC, not {1}':
    'muss eine IANA-Zeitzone wie Europe/Malta oder UTC sein, nicht {1}',
  'is missing: add it': 'fehlt: Ergänzen Sie die Angabe',
  'must be {=1}': 'muss {1} sein',
  'must be one of {1}': 'muss einer dieser Werte sein: {1}',
  'must be at least {1}': 'muss mindestens {1} sein',
  'must be at most {1}': 'darf höchstens {1} sein',
  'must not be empty': 'darf nicht leer sein',
  'must be at least {1} characters long': 'muss mindestens {1} Zeichen haben',
  'must be at most {1} characters long': 'darf höchstens {1} Zeichen haben',
  'must have at least {1} entries': 'muss mindestens {1} Einträge haben',
  'must have at most {1} entries': 'darf höchstens {1} Einträge haben',
  // Messages of TypeBox, for constraints without their own text.
  'must be > {1}': 'muss größer als {1} sein',
  'must be < {1}': 'muss kleiner als {1} sein',
  'must be multiple of {1}': 'muss ein Vielfaches von {1} sein',
  'must be equal to constant': 'hat nicht den erlaubten Wert',
  'must match a schema in anyOf': 'hat keine der erlaubten Formen',
  'must not have duplicate items': 'enthält einen Wert mehrfach',
  'must match format "{1}"': 'hat nicht die Form „{1}“',
  'must not begin with {1}, which is reserved for traits of the platform; choose another name, such as operator_{2}':
    'darf nicht mit {1} beginnen, weil das für Merkmale der Plattform reserviert ist; wählen Sie einen anderen Namen, wie operator_{2}',
  'is also the name of {1}; use a different name for each key':
    'ist auch der Name von {1}; verwenden Sie für jeden Schlüssel einen anderen Namen',
  'set either from or messaging_service_sid': 'Geben Sie entweder from oder messaging_service_sid an',
  'is not a header that can be set, or contains invalid characters':
    'ist keine Kopfzeile, die gesetzt werden kann, oder enthält ungültige Zeichen',
  'is not a header that can be set': 'ist keine Kopfzeile, die gesetzt werden kann',

  // The forms of settings, after "must be".
  'a string: put it in quotes': 'ein Text',
  'a whole number': 'eine ganze Zahl',
  'a whole number from {1} to {2}': 'eine ganze Zahl von {1} bis {2}',
  'a number': 'eine Zahl',
  'a number from {1} to {2}': 'eine Zahl von {1} bis {2}',
  'true or false': 'true oder false',
  'a list': 'eine Liste',
  'a mapping of names to values': 'eine Zuordnung von Namen zu Werten',
  'a name of up to 64 letters, digits and underscores that does not start with a digit':
    'ein Name aus höchstens 64 Buchstaben, Ziffern und Unterstrichen, der nicht mit einer Ziffer beginnt,',
  'a time of day such as 09:30, or empty': 'eine Uhrzeit wie 09:30 oder leer',
  'a currency code such as EUR: 3 to 10 letters and digits':
    'ein Währungscode wie EUR aus 3 bis 10 Buchstaben und Ziffern',
  'an e-mail address or an https address, or empty': 'eine E-Mail-Adresse, eine https-Adresse oder leer',
  'an origin such as https://crm.lan:8443, without a path': 'ein Ursprung wie https://crm.lan:8443, ohne Pfad,',
  'an origin such as https://www.casino.example: scheme, host and port, without a path':
    'ein Ursprung wie https://www.casino.example: Schema, Host und Port, ohne Pfad,',
  'an http or https address, or empty': 'eine http- oder https-Adresse oder leer',
  'a color such as #0a66c2, or empty': 'eine Farbe wie #0a66c2 oder leer',
  'a language code (BCP 47) such as en or pt-BR': 'ein Sprachcode (BCP 47) wie en oder pt-BR',
  'an amount such as 1500 or 99.50 in quotes, or empty': 'ein Betrag wie 1500 oder 99.50 oder leer',
  'a country code such as MT: 2 or 3 capital letters': 'ein Ländercode wie MT aus 2 oder 3 Großbuchstaben',
  'a channel name such as private-crm: letters, digits and hyphens after private-':
    'ein Kanalname wie private-crm, mit Buchstaben, Ziffern und Bindestrichen nach private-,',
  'a file name of up to 64 letters, digits, underscores and hyphens':
    'ein Dateiname aus höchstens 64 Buchstaben, Ziffern, Unterstrichen und Bindestrichen',
  'an http or https address without a query and without a trailing slash, or empty':
    'eine http- oder https-Adresse ohne Abfrage und ohne Schrägstrich am Ende oder leer',
  'a word of up to 32 letters and digits that starts with a letter':
    'ein Wort aus höchstens 32 Buchstaben und Ziffern, das mit einem Buchstaben beginnt,',
  'a header name: up to 100 letters, digits and hyphens':
    'der Name einer Kopfzeile aus höchstens 100 Buchstaben, Ziffern und Bindestrichen',
  'an address that starts with http:// or https://': 'eine Adresse, die mit http:// oder https:// beginnt,',
  'an address that starts with https://, or with http:// on this machine (localhost, 127.0.0.1 or [::1])':
    'eine Adresse, die mit https:// beginnt, oder mit http:// auf diesem Rechner (localhost, 127.0.0.1 oder [::1]),',
  'a path that starts with /': 'ein Pfad, der mit / beginnt,',
  'a secret of 20 to 100 letters, digits, underscores and hyphens':
    'ein Geheimnis aus 20 bis 100 Buchstaben, Ziffern, Unterstrichen und Bindestrichen',
  'the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:bounces':
    'der ARN eines SNS-Themas wie arn:aws:sns:eu-west-1:123456789012:bounces',
  'a host name or an IP address': 'ein Rechnername oder eine IP-Adresse',
  'a domain name': 'ein Domainname',
  'a DKIM selector: up to 100 letters, digits, dots, underscores and hyphens':
    'ein DKIM-Selektor aus höchstens 100 Buchstaben, Ziffern, Punkten, Unterstrichen und Bindestrichen',
  'a code of up to 32 lower-case letters, digits and hyphens, such as mycasino':
    'ein Code aus höchstens 32 Kleinbuchstaben, Ziffern und Bindestrichen wie mycasino',
  'the address of a PostgreSQL database, such as postgres://user:password@host:5432/database':
    'die Adresse einer PostgreSQL-Datenbank wie postgres://user:password@host:5432/database',
  'a token of printable ASCII characters without spaces': 'ein Token aus druckbaren ASCII-Zeichen ohne Leerzeichen',
  'an http or https address without a user name and without a #':
    'eine http- oder https-Adresse ohne Benutzernamen und ohne #',
  'a number in E.164 such as +35699123456, a short code, or up to 11 letters and digits':
    'eine Nummer nach E.164 wie +35699123456, eine Kurzwahl oder höchstens 11 Buchstaben und Ziffern',
  'a place in JSON such as messages.0.id': 'eine Stelle in JSON wie messages.0.id',
  'a Twilio account SID: AC and 32 letters and digits':
    'eine Konto-SID von Twilio aus AC und 32 Buchstaben und Ziffern',
  'a Twilio key SID: SK and 32 letters and digits':
    'eine Schlüssel-SID von Twilio aus SK und 32 Buchstaben und Ziffern',
  'a Twilio messaging service SID: MG and 32 letters and digits':
    'eine Messaging-Service-SID von Twilio aus MG und 32 Buchstaben und Ziffern',
  'a content type such as application/json': 'ein Inhaltstyp wie application/json',
  'a name in snake_case, such as vip_level': 'ein Name in snake_case wie vip_level',
  'an ISO 8601 duration such as PT2H': 'eine Dauer nach ISO 8601 wie PT2H',
  'an e-mail address': 'eine E-Mail-Adresse',
  'an e-mail address, or empty': 'eine E-Mail-Adresse oder leer',
  'valid: see docs/guides/configuration.md': 'gültig (siehe docs/guides/configuration.md)',

  // Content of messages and templates.
  '{1} is empty': '{1} ist leer',
  '{1} has more than {2} characters': '{1} hat mehr als {2} Zeichen',
  'url must be an http or https address without a password':
    'url muss eine http- oder https-Adresse ohne Passwort sein',
  'body must be JSON': 'body muss JSON sein',
  '{1} must be a JSON object': '{1} muss ein JSON-Objekt sein',
  '{1} must be a string': '{1} muss ein Text sein',
  '{1} must be one of {2}': '{1} muss einer dieser Werte sein: {2}',
  'title, text and data are all empty': 'title, text und data sind alle leer',
  'title and message are both empty': 'title und message sind beide leer',
  'mjml and html are both empty': 'mjml und html sind beide leer',
  'html and text are both empty': 'html und text sind beide leer',
  'expires must be in the future': 'expires muss in der Zukunft liegen',
  '{1} contains an unpaired surrogate': '{1} enthält ein halbes Zeichen',
  'list must have at most 64 lower case letters, digits, - and _':
    'list darf höchstens 64 Kleinbuchstaben, Ziffern, - und _ haben',
  'the entry is {1}; report an outcome only after an export':
    'Der Eintrag hat den Zustand {1}; melden Sie ein Ergebnis erst nach einem Export',
  '{1} must be an http or https address without a password, or a path of the site that starts with /':
    '{1} muss eine http- oder https-Adresse ohne Passwort sein, oder ein Pfad der Website, der mit / beginnt',
  '{1} is missing; the button {2} requires a link': '{1} fehlt; die Schaltfläche {2} erfordert einen Link',
  '{1} has {2} characters; the maximum is {3}': '{1} hat {2} Zeichen; erlaubt sind höchstens {3}',
  '{1} has {2} characters after sanitizing; the maximum is {3}':
    '{1} hat nach der Bereinigung {2} Zeichen; erlaubt sind höchstens {3}',
  'data nests deeper than {1} levels': 'data ist tiefer als {1} Ebenen verschachtelt',
  'content requires at least one language: {"en": {...}}': 'content erfordert mindestens eine Sprache: {"en": {...}}',
  'content has more than {1} languages': 'content hat mehr als {1} Sprachen',
  '{1} is not a language code such as en or pt-BR': '{1} ist kein Sprachcode wie en oder pt-BR',
  '{1} occurs twice': '{1} kommt zweimal vor',
  '{1} is not a field of the channel {2}; its fields are {3}':
    '{1} ist kein Feld des Kanals {2}; seine Felder sind {3}',
  'the plain part has more than {1} characters': 'Der Textteil hat mehr als {1} Zeichen',
  'subject must be one line of plain text': 'Der Betreff muss eine Zeile reiner Text sein',
  'size limit exceeded: {1} characters; the maximum is {2}':
    'Die Größe ist überschritten: {1} Zeichen; erlaubt sind höchstens {2}',
  'blocks are nested too deeply': 'Bausteine sind zu tief verschachtelt',
  'the block {1} does not exist': 'Den Baustein {1} gibt es nicht',
  '{1} is not a field of a player': '{1} ist kein Feld eines Spielers',
  '{1} is not a trait': '{1} ist kein Merkmal',
  '{1} is not a field of the brand': '{1} ist kein Feld der Marke',
  '{1} is not a variable; use player, trait, event, campaign, offer, brand, unsubscribe_url, responsible_gambling or language':
    '{1} ist keine Variable; verwenden Sie player, trait, event, campaign, offer, brand, unsubscribe_url, responsible_gambling oder language',

  // Events that are not valid (packages/contracts). What a message advises to send is a phrase, too.
  '{=1}; received {2}.': '{1}; empfangen wurde {2}.',
  '{=1}; send {2}.': '{1}; senden Sie {2}.',
  'is required': 'ist erforderlich',
  'is required and must not be blank': 'ist erforderlich und darf nicht leer sein',
  'is required; send one of {1}.': 'ist erforderlich; senden Sie einen dieser Werte: {1}.',
  'is required; send a string, usually one of {1}.':
    'ist erforderlich; senden Sie einen Text, gewöhnlich einen dieser Werte: {1}.',
  'is required; send an RFC 3339 date-time, for example {1}.':
    'ist erforderlich; senden Sie einen Zeitpunkt nach RFC 3339, zum Beispiel {1}.',
  'is required and must not be blank; send one of {1}.':
    'ist erforderlich und darf nicht leer sein; senden Sie einen dieser Werte: {1}.',
  'is required and must not be blank; send a string, usually one of {1}.':
    'ist erforderlich und darf nicht leer sein; senden Sie einen Text, gewöhnlich einen dieser Werte: {1}.',
  'is required and must not be blank; send an RFC 3339 date-time, for example {1}.':
    'ist erforderlich und darf nicht leer sein; senden Sie einen Zeitpunkt nach RFC 3339, zum Beispiel {1}.',
  'an object': 'ein Objekt',
  'an array': 'eine Liste',
  'a string': 'einen Text',
  'any JSON value': 'einen beliebigen JSON-Wert',
  'a whole number of 0 or more': 'eine ganze Zahl ab 0',
  'a number or decimal string, such as 12.5': 'eine Dezimalzahl wie 12.5',
  'a number or decimal string of 0 or more, such as 12.5': 'eine Dezimalzahl ab 0 wie 12.5',
  'the rate that converts the amount to the base currency, 1 if it is the base currency':
    'den Kurs, der den Betrag in die Basiswährung umrechnet, oder 1 für die Basiswährung',
  'the ISO 4217 code of the currency, such as EUR': 'den Code der Währung nach ISO 4217, wie EUR',
  'a non-blank string (a whole number is read as its text)':
    'einen Text, der nicht leer ist (eine ganze Zahl wird als ihr Text gelesen)',
  'must be an array': 'muss eine Liste sein',
  'must be a string': 'muss ein Text sein',
  'must be a whole number of 0 or more': 'muss eine ganze Zahl ab 0 sein',
  'must be a string or a whole number': 'muss ein Text oder eine ganze Zahl sein',
  'must be a string or a whole number; received the number {1}.':
    'muss ein Text oder eine ganze Zahl sein; empfangen wurde die Zahl {1}.',
  'must have at most {1} characters; send only the identifier.':
    'darf höchstens {1} Zeichen haben; senden Sie nur die Kennung.',
  'must have at most {1} characters; send only the name of the value.':
    'darf höchstens {1} Zeichen haben; senden Sie nur den Namen des Werts.',
  'must have at most {1} characters; shorten it.': 'darf höchstens {1} Zeichen haben; kürzen Sie den Text.',
  'must not contain a NUL character or an unpaired surrogate; send valid Unicode text.':
    'darf kein NUL-Zeichen und kein halbes Zeichen enthalten; senden Sie gültigen Unicode-Text.',
  'must be a currency code such as EUR': 'muss ein Währungscode wie EUR sein',
  'must not contain NUL or invalid Unicode; send a currency code such as EUR.':
    'darf kein NUL und kein ungültiges Unicode enthalten; senden Sie einen Währungscode wie EUR.',
  'must be a decimal; send a number or decimal string, such as 12.5':
    'muss eine Dezimalzahl sein; senden Sie eine Zahl oder einen Text wie 12.5',
  'must be 0 or more; send the amount without a sign, because the type of the event determines the direction':
    'muss mindestens 0 sein; senden Sie den Betrag ohne Vorzeichen, weil die Art des Ereignisses die Richtung bestimmt',
  'must have at most {1} digits before and {2} after the point; send the exact amount in the main unit of its currency':
    'darf höchstens {1} Stellen vor und {2} nach dem Dezimalpunkt haben; senden Sie den genauen Betrag in der Haupteinheit der Währung',
  'must be a decimal greater than 0; {1}.': 'muss eine Dezimalzahl größer als 0 sein; {1}.',
  'must be an RFC 3339 date-time, for example {1}': 'muss ein Zeitpunkt nach RFC 3339 sein, zum Beispiel {1}',
  'must not be before 2000-01-01; send the time of the event.':
    'darf nicht vor dem 2000-01-01 liegen; senden Sie die Zeit des Ereignisses.',
  "must not be more than 24 hours ahead of the platform's clock; send the time of the event, with its offset.":
    'darf der Uhr der Plattform nicht mehr als 24 Stunden voraus sein; senden Sie die Zeit des Ereignisses mit UTC-Abweichung.',
  'The body must be a JSON object with the fields of the event; received {1}.':
    'Der Inhalt muss ein JSON-Objekt mit den Feldern des Ereignisses sein; empfangen wurde {1}.',
  'The body must not have more than {1} members; send one event per call.':
    'Der Inhalt darf höchstens {1} Elemente haben; senden Sie ein Ereignis je Aufruf.',
  'The body must not nest deeper than {1} levels; send flat objects.':
    'Der Inhalt darf höchstens {1} Ebenen tief verschachtelt sein; senden Sie flache Objekte.',
  'The body must be valid JSON; check quotes and commas, and that the complete body was sent as UTF-8.':
    'Der Inhalt muss gültiges JSON sein; prüfen Sie Anführungszeichen und Kommas, und ob der ganze Inhalt als UTF-8 gesendet wurde.',

  'the e-mail has {1} characters of HTML; the maximum is {2}':
    'Die E-Mail hat {1} Zeichen HTML; erlaubt sind höchstens {2}',

  // Remarks on events that were accepted: the meanings of rules, flags and verdicts.
  '{1} was ignored. {=2}': '{1} wurde ignoriert. {2}',
  '{1} is unknown and was ignored; send it as {2} if that is what you mean.':
    '{1} ist unbekannt und wurde ignoriert; senden Sie das Feld als {2}, wenn Sie das meinen.',
  'The body is not valid JSON.': 'Der Inhalt ist kein gültiges JSON.',
  'The body nests deeper than 64 levels.': 'Der Inhalt ist tiefer als 64 Ebenen verschachtelt.',
  'The objects and arrays of the body have more than 150,000 members in total.':
    'Die Objekte und Listen des Inhalts haben zusammen mehr als 150.000 Elemente.',
  'The value must be a JSON object.': 'Der Wert muss ein JSON-Objekt sein.',
  'The value must be an array.': 'Der Wert muss eine Liste sein.',
  'The field is required. It is missing or null, or it is blank and must not be.':
    'Das Feld ist erforderlich. Es fehlt, ist null oder ist leer, obwohl es nicht leer sein darf.',
  'An identifier must be a string of at most 255 characters without NUL. A whole number is read as its text.':
    'Eine Kennung muss ein Text von höchstens 255 Zeichen ohne NUL sein. Eine ganze Zahl wird als ihr Text gelesen.',
  'The value must be a string that is not longer than the field allows.':
    'Der Wert muss ein Text sein, der nicht länger ist, als das Feld erlaubt.',
  'The value must be one of a fixed set. Letter case is ignored.':
    'Der Wert muss aus einer festen Menge stammen. Groß- und Kleinschreibung ist gleichgültig.',
  'A currency code must be a short string, such as EUR.': 'Ein Währungscode muss ein kurzer Text sein, wie EUR.',
  'The value must be true or false.': 'Der Wert muss true oder false sein.',
  'The value must be a whole number of 0 or more.': 'Der Wert muss eine ganze Zahl ab 0 sein.',
  'The value must be a decimal, as a number or a string. NaN, Infinity and thousands separators are not allowed.':
    'Der Wert muss eine Dezimalzahl sein, als Zahl oder als Text. NaN, Infinity und Tausendertrennzeichen sind nicht erlaubt.',
  'An amount must be 0 or more. The type of the event determines the direction.':
    'Ein Betrag muss mindestens 0 sein. Die Art des Ereignisses bestimmt die Richtung.',
  'A rate must be greater than 0.': 'Ein Kurs muss größer als 0 sein.',
  'A decimal must have at most 18 digits before the decimal point and 30 after it.':
    'Eine Dezimalzahl darf höchstens 18 Stellen vor und 30 nach dem Dezimalpunkt haben.',
  'The value must be an RFC 3339 date-time with up to 9 fraction digits, or YYYY-MM-DD HH:MM:SS in the time zone configured for the brand.':
    'Der Wert muss ein Zeitpunkt nach RFC 3339 mit höchstens 9 Nachkommastellen sein, oder YYYY-MM-DD HH:MM:SS in der Zeitzone, die für die Marke eingestellt ist.',
  'The time of an event must not be before 2000-01-01.':
    'Die Zeit eines Ereignisses darf nicht vor dem 2000-01-01 liegen.',
  'The field is unknown, and its name resembles that of a known field. The field was ignored.':
    'Das Feld ist unbekannt, und sein Name ähnelt dem eines bekannten Felds. Das Feld wurde ignoriert.',
  "The timestamp must be at most 24 hours ahead of the platform's clock.":
    'Der Zeitpunkt darf der Uhr der Plattform höchstens 24 Stunden voraus sein.',
  "The timestamp is more than 5 minutes ahead of the platform's clock.":
    'Der Zeitpunkt ist der Uhr der Plattform mehr als 5 Minuten voraus.',
  'The timestamp has no time zone. It was read in the time zone that the brand configured for such timestamps.':
    'Der Zeitpunkt hat keine Zeitzone. Er wurde in der Zeitzone gelesen, die die Marke für solche Zeitpunkte eingestellt hat.',
  'The timestamp has no time zone, and its local time occurs twice that day because the clocks go back. The first occurrence was used.':
    'Der Zeitpunkt hat keine Zeitzone, und seine Ortszeit kommt an diesem Tag zweimal vor, weil die Uhren zurückgestellt werden. Das erste Vorkommen gilt.',
  'The timestamp has no time zone, and its local time does not exist that day because the clocks go forward. It was moved forward.':
    'Der Zeitpunkt hat keine Zeitzone, und seine Ortszeit gibt es an diesem Tag nicht, weil die Uhren vorgestellt werden. Er wurde nach vorn verschoben.',
  'The currency is the base currency, but exchange_rate is not 1. The rate 1 was used.':
    'Die Währung ist die Basiswährung, aber exchange_rate ist nicht 1. Der Kurs 1 wurde verwendet.',
  'A bet has none of wager_amount, bonus_wager_amount and locked_wager_amount. The whole amount counts as real money.':
    'Ein Einsatz enthält weder wager_amount noch bonus_wager_amount noch locked_wager_amount. Der ganze Betrag zählt als Echtgeld.',
  'wager_amount, bonus_wager_amount and locked_wager_amount do not add up to amount. The amount is used, and the difference counts as real money.':
    'wager_amount, bonus_wager_amount und locked_wager_amount ergeben zusammen nicht amount. Der Betrag gilt, und die Differenz zählt als Echtgeld.',
  'A currency or other code is not in any list that the platform knows. It was stored as sent.':
    'Eine Währung oder ein anderer Code steht in keiner Liste, die die Plattform kennt. Der Code wurde gespeichert, wie er gesendet wurde.',
  'A field with a known set of values (status, type, product, ...) has a different value. It was stored as sent.':
    'Ein Feld mit bekannten Werten (status, type, product, ...) hat einen anderen Wert. Er wurde gespeichert, wie er gesendet wurde.',
  'A sportsbook Bet has no selections.': 'Eine Sportwette (Bet) hat keine Auswahl.',
  'The match_start of a selection is not a timestamp. It was stored as the text that was sent.':
    'match_start einer Auswahl ist kein Zeitpunkt. Der gesendete Text wurde gespeichert.',
  'An optional field that does not carry identity, money, status or time has an invalid value. The field was ignored, and the event counts.':
    'Ein optionales Feld, das weder Identität noch Geld, Status oder Zeit enthält, hat einen ungültigen Wert. Das Feld wurde ignoriert, und das Ereignis zählt.',
  'The event has an unknown field that resembles a known one, such as paymentid.':
    'Das Ereignis hat ein unbekanntes Feld, das einem bekannten ähnelt, wie paymentid.',
  'The payment has no payment_id. It counts only if its status is Approved. A repeat of it is recognized only if both messages are identical.':
    'Die Zahlung hat keine payment_id. Sie zählt nur, wenn ihr Status Approved ist. Eine Wiederholung wird nur erkannt, wenn beide Meldungen gleich sind.',
  'The event was the first of its key on arrival, or it produces no fact, such as an update that causes a refresh. A later event with an earlier timestamp may have replaced it.':
    'Das Ereignis war bei seiner Ankunft das erste mit seinem Schlüssel, oder es erzeugt keinen Vorgang, wie eine Änderung, die eine Abfrage auslöst. Ein späteres Ereignis mit früherem Zeitpunkt kann es ersetzt haben.',
  'An event with the same key and the same money already existed. This is a retry, and it adds nothing to any sum.':
    'Ein Ereignis mit demselben Schlüssel und demselben Geld gab es bereits. Dies ist eine Wiederholung und ändert keine Summe.',
  'An event with the same key and different money already existed. The event with the earliest timestamp is in force (for balances and lottery settlements, the latest), whichever arrived first.':
    'Ein Ereignis mit demselben Schlüssel und anderem Geld gab es bereits. Es gilt das Ereignis mit dem frühesten Zeitpunkt (bei Guthaben und Lotterie-Abrechnungen mit dem spätesten), gleichgültig, welches zuerst ankam.',
  'Its counterpart had not arrived yet. It has no effect until the counterpart arrives.':
    'Das Gegenstück war noch nicht angekommen. Bis es ankommt, hat das Ereignis keine Wirkung.',
  'The event is older than the history of the brand (setting history_days), so Croupier cannot determine whether it was counted before. It is stored without effect until a person imports it: POST .../too-old/import.':
    'Das Ereignis ist älter als die Historie der Marke (Einstellung history_days), deshalb kann Croupier nicht feststellen, ob es schon gezählt wurde. Es ist ohne Wirkung gespeichert, bis jemand es importiert: POST .../too-old/import.',
  'The event cannot currently be applied. It waits and is retried. Other events of the player are not affected.':
    'Das Ereignis kann derzeit nicht angewendet werden. Es wartet und wird erneut versucht. Andere Ereignisse des Spielers sind nicht betroffen.',
  'The current rules or settings cannot read the event. It waits and is retried.':
    'Mit den derzeitigen Regeln oder Einstellungen lässt sich das Ereignis nicht lesen. Es wartet und wird erneut versucht.',
  'The event is stored and not derived yet. This takes milliseconds unless derive lags.':
    'Das Ereignis ist gespeichert und noch nicht verarbeitet. Das dauert Millisekunden, wenn die Verarbeitung nicht im Rückstand ist.',
  'The event arrived more than {1} days ago. Verdicts are kept for that long. Its effect is part of the facts.':
    'Das Ereignis kam vor mehr als {1} Tagen an. So lange werden Bewertungen aufbewahrt. Seine Wirkung ist in den Vorgängen enthalten.',

  // Errors of liquidjs, which end with their place. A test reads its source for them.
  '{=1}, line:{2}, col:{3}': '{1} (Zeile {2}, Spalte {3})',
  '{=1}, file:{2}, line:{3}, col:{4}': '{1} (Baustein {2}, Zeile {3}, Spalte {4})',
  'tag {1} not closed': 'Der Tag {1} ist nicht geschlossen',
  'output {1} not closed': 'Die Ausgabe {1} ist nicht geschlossen',
  'raw {1} not closed': 'raw {1} ist nicht geschlossen',
  '[ not closed': '[ ist nicht geschlossen',
  'undefined filter: {1}': 'Den Filter {1} gibt es nicht',
  'tag "{1}" not found': 'Den Tag „{1}“ gibt es nicht',
  'illegal tag: {1}': 'Der Tag {1} ist nicht richtig geschrieben',
  'illegal tag syntax, tag name expected': 'Der Name des Tags fehlt',
  'illegal liquid tag syntax': 'Eine Zeile im Tag liquid beginnt nicht mit dem Namen eines Tags',
  'invalid value expression: {1}': 'Der Ausdruck {1} ist ungültig',
  'unexpected token {1}, value expected': 'Vor {1} fehlt ein Wert',
  'unexpected character {1}': 'Das Zeichen {1} ist hier nicht erlaubt',
  'unexpected "{1}"': 'Der Text „{1}“ ist hier nicht erlaubt',
  'unexpected elsif after else': 'elsif steht hinter else',
  'duplicated else': 'else kommt zweimal vor',
  'expected filter name': 'Der Name eines Filters fehlt',
  'expected "|" before filter': 'Vor dem Filter fehlt „|“',
  'expected ":" after filter name': 'Hinter dem Namen des Filters fehlt „:“',
  'expected variable name': 'Der Name einer Variablen fehlt',
  'expected "="': 'Es fehlt „=“',
  'invalid capture name': 'Hinter capture fehlt der Name einer Variablen',
  'invalid range syntax': 'Ein Bereich muss so geschrieben sein: (1..5)',
  'unbalanced parentheses': 'Eine Klammer ist nicht geschlossen',
  'empty candidates: "{1}"': 'In „{1}“ fehlen die Werte',
  'illegal file path': 'Der Code des Bausteins fehlt',
  'illegal file path "{1}"': '„{1}“ ist kein Code eines Bausteins',
  'block tag cannot be nested': 'Ein Tag block darf sich nicht selbst enthalten',
  "every line of an inline comment must start with a '#' character":
    'Jede Zeile eines Kommentars mit # muss mit # beginnen',
  '{1} expect 2 arguments': 'Der Filter {1} erfordert einen Wert hinter „:“',
  'invalid base64 provided to base64_decode': 'base64_decode erfordert einen Wert in Base64',
  'URI malformed': 'Der Wert ist keine gültige Adresse',
  'parse length limit exceeded': 'Der Text ist zu lang',
  'memory alloc limit exceeded': 'Der Text braucht zu viel Speicher',
  'template render limit exceeded': 'Das Ausfüllen des Textes dauert zu lange',

  // Errors of the MJML compiler. Positions count characters.
  'mjml: {=1}': 'MJML: {1}',
  '{=1} in root template': '{1}',
  '{=1} in root template at position {2}:{3}': '{1} (Zeichen {2} bis {3})',
  'unable to find mjml element': 'Das Element mjml fehlt',
  'missing attribute "{1}" in element': 'Das Attribut „{1}“ fehlt',
  'unexpected element': 'Das Element ist hier nicht erlaubt',
  'unexpected token': 'Dieser Inhalt ist hier nicht erlaubt',
  'invalid attribute': 'Ein Attribut ist ungültig',
  'invalid format': 'Ein Wert hat nicht die richtige Form',
  'unable to load included template': 'mj-include ist nicht erlaubt; verwenden Sie einen Baustein',
  'unexpected end of stream': 'Ein Element ist nicht geschlossen',
  'unable to parse next template': 'Der Text ist kein gültiges MJML',
  'size limit reached': 'Der Text ist zu lang',

  ...germanAnswerPhrases,
};
