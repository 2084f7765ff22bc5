/*
 * German texts of Croupier's verdicts on the operator's answers: why a call got no answer, why an answer could not be used, and
 * which parts of an answer could not be used. They are part of germanPhrases and have the same form.
 */
export const germanAnswerPhrases: Readonly<Record<string, string>> = {
  // Calls without a usable answer (operator/calling).
  'no complete answer within {1} ms': 'Keine vollständige Antwort innerhalb von {1} ms',
  'no byte received for {1} ms': '{1} ms lang wurden keine Daten empfangen',
  'the answer has more than {1} bytes': 'Die Antwort hat mehr als {1} Bytes',
  '{1} is a cloud metadata address and cannot be an operator':
    '{1} ist eine Metadaten-Adresse einer Cloud und kann kein Betreiber sein',
  '{1} is not an http(s) URL': '{1} ist keine http- oder https-Adresse',
  'this operator does not use OAuth 2.0': 'Dieser Betreiber verwendet kein OAuth 2.0',
  'no token within the call timeout': 'Innerhalb der Frist des Aufrufs kam kein Token',
  'no request was made': 'Es wurde keine Anfrage gesendet',
  'the token endpoint: {=1}': 'Der Endpunkt für Token: {1}',
  'the token endpoint: {1}': 'Der Endpunkt für Token: „{1}“',
  'the token endpoint answered {1}': 'Der Endpunkt für Token antwortete mit {1}',
  'the token endpoint answered 200 without an access_token':
    'Der Endpunkt für Token antwortete mit 200 ohne access_token',
  'the token endpoint answered 200 without a JSON object': 'Der Endpunkt für Token antwortete mit 200 ohne JSON-Objekt',

  // Answers to look-ups and writes (operator/judging, operator/writeback).
  'answered {1}': 'antwortete mit {1}',
  'answered {1} with {2}': 'antwortete mit {1} und {2}',
  '{1} with a body that is not JSON': '{1} mit einem Inhalt, der kein JSON ist',
  'answered 200 without {1}': 'antwortete mit 200 ohne {1}',
  'answered 200 without {1}: {2}': 'antwortete mit 200 ohne {1}: {2}',
  'a list of blocks': 'eine Liste der Sperren',
  'a list of consents': 'eine Liste der Einwilligungen',
  'answered 200 with {1} of another player': 'antwortete mit 200 und {1} eines anderen Spielers',
  'answered 200 with {1}, and {2}': 'antwortete mit 200 und {1}, außerdem mit {2}',
  'the record': 'den Angaben',
  'the blocks': 'den Sperren',
  'the consents': 'den Einwilligungen',

  // Answers to a session id or a bonus, and lists of bonuses (site/session, actions/intents, operator/calling/bonus-list).
  'the operator answered {1}': 'Der Betreiber antwortete mit {1}',
  'the operator answered {1} with {=2}': 'Der Betreiber antwortete mit {1} und {2}',
  'a body with the encoding {1}': 'einem Inhalt mit der Kodierung {1}',
  'a body in {1}': 'einem Inhalt in {1}',
  'a body that is not UTF-8 text': 'einem Inhalt, der kein Text in UTF-8 ist',
  'a body that starts like JSON and is not valid JSON': 'einem Inhalt, der wie JSON beginnt und kein gültiges JSON ist',
  'the operator was removed from the configuration': 'Der Betreiber wurde aus der Konfiguration entfernt',
  "the claim would expire during the call, or the player's protection may have changed since the decision or could not be read":
    'Die Zuteilung des Aufrufs an den Prozess würde während des Aufrufs ablaufen, oder der Schutz des Spielers kann sich seit der Entscheidung geändert haben oder war nicht lesbar',
  'the answer is not a JSON object': 'Die Antwort ist kein JSON-Objekt',
  'the answer is not JSON': 'Die Antwort ist kein JSON',
  'Success is false: {1}': 'Success ist false: {1}',
  'the answer has no array Data': 'Die Antwort hat keine Liste Data',
  'no entry of Data has a value': 'Kein Eintrag von Data hat einen Wert',

  // Lists of a reconciliation (operator/reconciliation).
  'the list did not end within {1} s': 'Die Liste endete nicht innerhalb von {1} s',
  'the answer is incomplete': 'Die Antwort ist unvollständig',
  'the answer ends inside a string': 'Die Antwort endet innerhalb eines Textes',
  'the answer is not UTF-8': 'Die Antwort ist kein UTF-8',
  'the result has no list of users': 'Das Ergebnis hat keine Liste users',
  'the result has no timestamp': 'Das Ergebnis hat keinen timestamp',
  'the result contains an error': 'Das Ergebnis enthält einen Fehler',
  'the operator reports: {1}': 'Der Betreiber meldet: „{1}“',
  '"{1}" occurs twice': '„{1}“ kommt zweimal vor',
  '"users" is not a list': '„users“ ist keine Liste',
  'the timestamp is not a string': 'Der Wert von timestamp ist kein Text',
  'entry {1} of users is not an id: it is {2}': 'Eintrag {1} von users ist keine ID: Er ist {2}',
  'neither a string nor a whole number': 'weder ein Text noch eine ganze Zahl',
  'blank, too long, or not valid Unicode': 'leer, zu lang oder kein gültiges Unicode',
  'nested deeper than {1}': 'Tiefer als {1} Ebenen verschachtelt',
  'found {1}, expected {2}': 'Gefunden: {1}; erwartet: {2}',
  'a word or a number': 'ein Wort oder eine Zahl',
  'value or end': 'Wert oder Ende',
  'key or end': 'Name oder Ende',
  'comma or end': 'Komma oder Ende',
  'a string contains a control character': 'Ein Text enthält ein Steuerzeichen',
  'a string contains an invalid escape': 'Ein Text enthält eine ungültige Escape-Folge',
  'a string has more than {1} characters': 'Ein Text hat mehr als {1} Zeichen',
  'a token of {1} characters is not JSON': 'Eine Folge von {1} Zeichen ist kein JSON',
  'a string of {1} characters is not a timestamp': 'Ein Text von {1} Zeichen ist kein Zeitpunkt',
  "{1} is more than 5 minutes ahead of the platform's clock": '{1} ist der Uhr der Plattform mehr als 5 Minuten voraus',
  '{1} is more than 48 hours before the request': '{1} liegt mehr als 48 Stunden vor der Anfrage',
  '{1} is before the last applied result of this field': '{1} liegt vor dem letzten angewandten Ergebnis dieses Felds',

  // Parts of an answer that could not be used. {1} is the field.
  '{1} is missing; the last value stays in use': '{1} fehlt; der letzte Wert gilt weiter',
  '{1} must be {2}; received {3}; the last value stays in use':
    '{1} muss {2} sein; empfangen wurde {3}; der letzte Wert gilt weiter',
  'a text': 'ein Text',
  'an empty text': 'ein leerer Text',
  'a list of strings': 'eine Liste von Texten',
  'a timestamp': 'ein Zeitpunkt',
  '{1} has more than {2} characters; the last value stays in use':
    '{1} hat mehr als {2} Zeichen; der letzte Wert gilt weiter',
  '{1} contains bytes that are not UTF-8; the last value stays in use':
    '{1} enthält Bytes, die kein UTF-8 sind; der letzte Wert gilt weiter',
  '{1} must be a date YYYY-MM-DD, or empty; the last value stays in use':
    '{1} muss ein Datum der Form JJJJ-MM-TT oder leer sein; der letzte Wert gilt weiter',
  '{1} must be an ISO 8601 timestamp; the last value stays in use':
    '{1} muss ein Zeitpunkt nach ISO 8601 sein; der letzte Wert gilt weiter',
  '{1} is not a known mobile prefix; it is kept as sent':
    '{1} ist keine bekannte Vorwahl; der Wert wird behalten, wie er gesendet wurde',
  '{1} is not a known ISO 3166 country code; it is kept as sent':
    '{1} ist kein bekannter Ländercode nach ISO 3166; der Wert wird behalten, wie er gesendet wurde',
  '{1} is not a known BCP 47 language code; it is kept as sent':
    '{1} ist kein bekannter Sprachcode nach BCP 47; der Wert wird behalten, wie er gesendet wurde',
  '{1} is not a known currency code; it is kept as sent':
    '{1} ist kein bekannter Währungscode; der Wert wird behalten, wie er gesendet wurde',
  '{1} is not a known market; it is kept as sent':
    '{1} ist kein bekannter Markt; der Wert wird behalten, wie er gesendet wurde',
  '{1} must be true or false; it is missing; it counts as true until corrected':
    '{1} muss true oder false sein; der Wert fehlt und gilt bis zur Korrektur als true',
  '{1} must be true or false; received {2}; it counts as true until corrected':
    '{1} muss true oder false sein; empfangen wurde {2}; der Wert gilt bis zur Korrektur als true',
  '{1} must be true or false; it is missing; it counts as in force until corrected':
    '{1} muss true oder false sein; der Wert fehlt, und die Sperre gilt bis zur Korrektur als wirksam',
  '{1} must be true or false; received {2}; it counts as in force until corrected':
    '{1} muss true oder false sein; empfangen wurde {2}; die Sperre gilt bis zur Korrektur als wirksam',
  '{1} must be true or false; it is missing; it counts as not given until corrected':
    '{1} muss true oder false sein; der Wert fehlt, und die Einwilligung gilt bis zur Korrektur als nicht gegeben',
  '{1} must be true or false; received {2}; it counts as not given until corrected':
    '{1} muss true oder false sein; empfangen wurde {2}; die Einwilligung gilt bis zur Korrektur als nicht gegeben',
  '{1}: more than 16 KiB or nested too deeply; the last value stays in use':
    '{1}: mehr als 16 KiB oder zu tief verschachtelt; der letzte Wert gilt weiter',
  'further fields: more than 16 KiB or nested too deeply; the last value stays in use':
    'Weitere Felder: mehr als 16 KiB oder zu tief verschachtelt; der letzte Wert gilt weiter',
  '{1} must be a string; received {2}; the item is ignored':
    '{1} muss ein Text sein; empfangen wurde {2}; der Eintrag wird ignoriert',
  '{1} must be an object with a readable type; received {2}; the item is ignored':
    '{1} muss ein Objekt mit einem lesbaren type sein; empfangen wurde {2}; der Eintrag wird ignoriert',
  '{1}.type is not one of {2}; it is kept': '{1}.type ist keiner dieser Werte: {2}; der Eintrag wird behalten',
  '{1} has more than {2} items; the rest is ignored': '{1} hat mehr als {2} Einträge; die übrigen werden ignoriert',
  '{1} lists {2} {3} times; the most restrictive one is used':
    '{1} enthält {2} {3}-mal; es gilt der Eintrag, der am stärksten einschränkt',
};
