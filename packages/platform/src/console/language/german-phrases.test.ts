import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileMjml } from '../../channels/templates/mjml.ts';
import { germanPhrases } from './german-phrases.ts';
import { germanOf, inLanguage } from './translate.ts';

const packages = fileURLToPath(new URL('../../../../', import.meta.url));

/** The files that explain errors in English, and which of their texts are such explanations. */
const sources: Readonly<Record<string, RegExp>> = {
  'campaigns/src/absent-variables.ts': /empty/,
  'contracts/src/fields/currency.ts': /^(?:must|the ISO)/,
  'contracts/src/fields/field.ts': /was ignored/,
  'contracts/src/fields/free.ts': /^(?:must|an object$|any JSON)/,
  'contracts/src/fields/id.ts': /^(?:must|a non-blank)/,
  'contracts/src/fields/integer.ts': /^(?:must|a whole)/,
  'contracts/src/fields/likeness.ts': /ignored/,
  'contracts/src/fields/money.ts': /^(?:must (?!have)|a number|the rate)/,
  'contracts/src/fields/record.ts': /^(?:must|is required|an object|an array)/,
  'contracts/src/fields/set.ts': /^must/,
  'contracts/src/fields/show.ts': /./,
  'contracts/src/fields/text.ts': /^(?:must|a string)/,
  'contracts/src/fields/timestamp.ts': /^must/,
  'contracts/src/fields/truth.ts': /^(?:must|true)/,
  'contracts/src/flags.ts': /./,
  'contracts/src/parse-body.ts': /^The body/,
  'contracts/src/read-event.ts': /^The body/,
  'contracts/src/rules.ts': /./,
  'campaigns/src/approval.ts': /^(?:it may|the cost|(?:new )?players may|its bonuses)/,
  'campaigns/src/check.ts': /./,
  'campaigns/src/halt.ts': /limit is|is the limit/,
  'platform/src/actions/intents/attempt.ts': /^(?:the operator was|the claim would)/,
  'platform/src/actions/intents/judge-answer.ts': /^the operator/,
  'platform/src/actions/intents/unreadable.ts': /^a body/,
  'platform/src/brands/change.ts': /^is /,
  'platform/src/brands/contact-settings.ts': /^(?:must|requires)/,
  'platform/src/brands/declaration.ts': /^must/,
  'platform/src/brands/setting-error.ts': /./,
  'platform/src/brands/setting-forms.ts': /^[^^(]/,
  'platform/src/brands/trait-names.ts': /^(?:must|is)/,
  'platform/src/campaigns/documents/manage.ts': /^code must/,
  'platform/src/campaigns/documents/warnings.ts': /past/,
  'platform/src/channels/calls/content.ts': /^(?!application|[A-Z])/,
  'platform/src/channels/calls/create.ts': /must be/,
  'platform/src/channels/email/create.ts': /must be|contains/,
  'platform/src/channels/lists/create.ts': /must be/,
  'platform/src/channels/lists/entry.ts': /must|more than/,
  'platform/src/channels/lists/outcome.ts': /report an outcome/,
  'platform/src/channels/notifications/content.ts': /must|missing|empty|contains|maximum|nests/,
  'platform/src/channels/notifications/create.ts': /must be/,
  'platform/src/channels/settings/settings.ts': /^(?:must|is|set) /,
  'platform/src/channels/templates/check.ts': /./,
  'platform/src/channels/templates/email-content.ts': /subject|plain part|both empty|more than/,
  'platform/src/channels/templates/liquid.ts': /^(?:size|blocks are|the block)/,
  'platform/src/channels/templates/mjml.ts': /^the e-mail has/,
  'platform/src/console/feed/meanings.ts': /./,
  'platform/src/channels/templates/variables.ts': / is not a /,
  'platform/src/console/operator-tests/routes.ts': /^no request/,
  'platform/src/operator/calling/bonus-list/judge-list.ts': /./,
  'platform/src/operator/calling/client/addresses.ts': /metadata address/,
  'platform/src/operator/calling/client/limits.ts': /./,
  'platform/src/operator/calling/client/operator-client.ts': /OAuth|http\(s\)|^no token|token endpoint/,
  'platform/src/operator/calling/client/token.ts': /^the token endpoint/,
  'platform/src/operator/judging/answer.ts': /./,
  'platform/src/operator/judging/blocks.ts': /^(?:a list|the blocks|\{1\} must)/,
  'platform/src/operator/judging/consents.ts': /^(?:a list|the consents)/,
  'platform/src/operator/judging/details.ts': /^(?:a |the record)|stays in use|as sent|until corrected/,
  'platform/src/operator/judging/typed-items.ts': /^\{1\}(?:\.| [a-z])/,
  'platform/src/operator/judging/why-unusable.ts': /^answered/,
  'platform/src/operator/reconciliation/answer/json-tokens.ts': /^(?:a string|a token|the answer)/,
  'platform/src/operator/reconciliation/answer/result-reader.ts': /./,
  'platform/src/operator/reconciliation/answer/result-time.ts': / is /,
  'platform/src/operator/reconciliation/try-list.ts': /./,
  'platform/src/operator/writeback/judge-write.ts': /^answered/,
  'platform/src/segments/membership/manage.ts': /depend on itself/,
  'platform/src/site/session/judge-answer.ts': /./,
  'rules/src/check.ts': /./,
  ...Object.fromEntries(
    ['anniversary', 'between', 'one-of', 'recent', 'values'].map((name) => [
      `rules/src/operators/${name}.ts`,
      /^(?:must|both|each)/,
    ]),
  ),
};

/** Every text of two or more words in a source, with its inserted values as {1}, {2} and so on. Comments are left out. */
function textsIn(source: string): string[] {
  const texts: string[] = [];
  for (let at = 0; at < source.length; at++) {
    const two = source.slice(at, at + 2);
    if (two === '//') at = endOf(source, '\n', at);
    else if (two === '/*') at = endOf(source, '*/', at) + 1;
    else if (source[at] === "'" || source[at] === '"' || source[at] === '`') at = readText(source, at, texts);
    else if (source[at] === '/' && /[(=,:!&|?[]\s*$/.test(source.slice(Math.max(0, at - 20), at))) {
      const regex = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(source.slice(at));
      if (regex !== null) at += regex[0].length - 1;
    }
  }
  return texts;
}

function endOf(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? source.length : at;
}

/** Reads the text that begins at `at`, and returns the position of its end. */
function readText(source: string, at: number, texts: string[]): number {
  const quote = source[at];
  let text = '';
  let values = 0;
  for (at++; at < source.length && source[at] !== quote; at++) {
    if (source[at] === '\\') text += source[++at];
    else if (quote === '`' && source.startsWith('${', at)) {
      text += `{${++values}}`;
      let depth = 1;
      for (at += 2; depth > 0; at++) {
        if (source[at] === '`' || source[at] === "'") at = readText(source, at, texts);
        else if (source[at] === '{') depth++;
        else if (source[at] === '}') depth--;
      }
      at--;
    } else text += source[at];
  }
  if (/[a-z] [a-z]/i.test(text.replaceAll(/\{\d\}/g, 'x'))) texts.push(text);
  return at;
}

const found = await Promise.all(
  Object.entries(sources).map(async ([file, which]) => {
    const source = await readFile(path.join(packages, file), 'utf8');
    return { file, texts: textsIn(source).filter((text) => which.test(text)) };
  }),
);
const texts = found.flatMap((one) => one.texts.map((text) => ({ ...one, text })));

const numbers = /\{=?(\d)\}/g;
/** A text with an example for each value. */
const example = (text: string) => text.replaceAll(numbers, 'x$1');
/** Texts whose values are phrases; their examples are below. */
const ofPhrases = [
  '{1}; received {2}.',
  '{1}; send {2}.',
  '{1} was ignored. {2}',
  'must be {1}',
  'both values: {1}',
  'each value {1}',
];
/** Texts that are assembled from parts; each whole text is a phrase. */
const assembled: Readonly<Record<string, string>> = {
  '{1} has {2} characters{3}; the maximum is {4}': '{1} has {2} characters after sanitizing; the maximum is {3}',
  'must have {1}; send the exact amount in the main unit of its currency':
    'must have at most {1} digits before and {2} after the point; send the exact amount in the main unit of its currency',
  '{1}{2} must not depend on itself': '{1} must not depend on itself (through {2})',
  'the block {1} does not exist{2}': 'the block {1} does not exist, line:{2}, col:{3}',
  'is not a known {1}; it is kept as sent': '{1} is not a known market; it is kept as sent',
  'must be true or false; {1}; it counts as true until corrected':
    '{1} must be true or false; received {2}; it counts as true until corrected',
  '{1}.{2} must be true or false; {3}; {4} until corrected':
    '{1}.{2} must be true or false; received {3}; it counts as not given until corrected',
};
/** Texts that follow the name of a field. */
const followsField = /^(?:contains|has|is|must) .*stays in use$/;
const wholeText = (text: string) => assembled[text] ?? (followsField.test(text) ? `field ${text}` : text);

/** Texts of liquidjs: of an assertion or an error in one line of its source, with its values as {1}, {2} and so on. */
const liquidSource = await readFile(fileURLToPath(import.meta.resolve('liquidjs')), 'utf8');
const liquidTexts = [
  ...new Set(
    liquidSource.split('\n').flatMap((line) => {
      const [, quote, text] = /\b(?:assert|error|Error)\((?:.*?, )?(?:\(\) => )?(['"`])(.*)\1/.exec(line) ?? [];
      let values = 0;
      if (quote === undefined || text === undefined) return [];
      return [text.replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{[^}]*\}/g, () => `{${++values}}`)];
    }),
  ),
];
/** Errors of callers of liquidjs, and of files, which templates never read. */
const unreachable = [
  'ENOENT: {1}',
  'ENOENT',
  'readFile not implemented',
  'unable to evaluate: context not defined',
  'FilteredValueToken evaluation requires liquid instance in context',
  '`outputEscape` need to be of type string or function',
  '`fs.sep` is required for relative reference',
  '`fs.dirname` is required for relative reference',
];

/** Every error that the MJML compiler gives for sanitized text. */
const wrongMjml = [
  ['', 'MJML: Das Element mjml fehlt'],
  ['text', 'MJML: Der Text ist kein gültiges MJML'],
  ['<mjml><mj-body>', 'MJML: Ein Element ist nicht geschlossen'],
  ['<mjml><p>a</p></mjml>', 'MJML: Das Element ist hier nicht erlaubt (Zeichen 6 bis 8)'],
  ['<p>a</p>', 'MJML: Dieser Inhalt ist hier nicht erlaubt (Zeichen 0 bis 2)'],
  [
    '<mjml><mj-head><mj-attributes><mj-class /></mj-attributes></mj-head></mjml>',
    'MJML: Das Attribut „name“ fehlt (Zeichen 31 bis 39)',
  ],
  [
    '<mjml><mj-head><mj-include path="x" /></mj-head></mjml>',
    'MJML: mj-include ist nicht erlaubt; verwenden Sie einen Baustein (Zeichen 16 bis 26)',
  ],
] as const;

function mjmlError(mjml: string): string {
  try {
    compileMjml(mjml);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

describe('explanations in German', () => {
  test('are found in every source', () => {
    expect(found.filter((one) => one.texts.length === 0).map(({ file }) => file)).toEqual([]);
    expect(texts.length).toBeGreaterThan(150);
  });

  test.each(texts.filter(({ text }) => !ofPhrases.includes(text)))('$file: $text', ({ text }) => {
    expect(germanOf(example(wholeText(text))), 'console/language/german-phrases.ts has no such text').toBeDefined();
  });

  test('errors of liquidjs are found in its source', () => {
    expect(liquidTexts.length).toBeGreaterThan(30);
    for (const text of unreachable) expect(liquidTexts).toContain(text);
  });

  test.each(liquidTexts.filter((text) => !unreachable.includes(text)))('liquidjs: %s', (text) => {
    expect(germanOf(`${example(text)}, line:1, col:2`), 'console/language/german-phrases.ts has no such text').toBe(
      `${germanOf(example(text))} (Zeile 1, Spalte 2)`,
    );
  });

  test.each(wrongMjml)('MJML %s: %s', (mjml, german) => {
    expect(inLanguage(mjmlError(mjml), 'de')).toBe(german);
  });

  test.each(Object.entries(germanPhrases))('%s keeps its values', (english, german) => {
    const numbersOf = (text: string) => [...text.matchAll(numbers)].map(([, number]) => number).toSorted();
    // The German text contains the shortest and the longest window instead of placeholders.
    if (!english.includes('(P366D)')) expect(numbersOf(german)).toEqual(numbersOf(english));
    expect(german).not.toBe(english);
  });

  test.each([
    ['must be a whole number', 'muss eine ganze Zahl sein'],
    [
      'both values: must be a date, for example 2026-05-04',
      'beide Werte: muss ein Datum sein, zum Beispiel 2026-05-04',
    ],
    ['each value must be true or false', 'jeder Wert muss true oder false sein'],
    ['the brand has no segment vip', 'Die Marke hat kein Segment vip'],
    ['entry.segmnt is unknown', 'entry.segmnt ist unbekannt'],
    ['the cost of the bonuses of a, b is unknown', 'Die Kosten der Boni von a, b sind unbekannt'],
    ['tag {% if x %} not closed, line:2, col:5', 'Der Tag {% if x %} ist nicht geschlossen (Zeile 2, Spalte 5)'],
    ['the block $& does not exist, line:1, col:1', 'Den Baustein $& gibt es nicht (Zeile 1, Spalte 1)'],
    ['unexpected "y", line:1, col:9', 'Der Text „y“ ist hier nicht erlaubt (Zeile 1, Spalte 9)'],
    [
      'invalid value expression: "", file:foot, line:1, col:6',
      'Der Ausdruck "" ist ungültig (Baustein foot, Zeile 1, Spalte 6)',
    ],
    ['memory alloc limit exceeded', 'Der Text braucht zu viel Speicher'],
    ['x is not a function, line:1, col:1', '„x is not a function, line:1, col:1“'],
    ['must be a string; received an object.', 'muss ein Text sein; empfangen wurde ein Objekt.'],
    ['must be one of a, b; received "c".', 'muss einer dieser Werte sein: a, b; empfangen wurde "c".'],
    [
      'must be an RFC 3339 date-time, for example 2026-03-01T18:27:58Z; received "yesterday".',
      'muss ein Zeitpunkt nach RFC 3339 sein, zum Beispiel 2026-03-01T18:27:58Z; empfangen wurde "yesterday".',
    ],
    ['is required; send a whole number of 0 or more.', 'ist erforderlich; senden Sie eine ganze Zahl ab 0.'],
    ['the operator answered 503', 'Der Betreiber antwortete mit 503'],
    ['the list did not end within 30 s', 'Die Liste endete nicht innerhalb von 30 s'],
    [
      'birth_date must be a date YYYY-MM-DD, or empty; the last value stays in use',
      'birth_date muss ein Datum der Form JJJJ-MM-TT oder leer sein; der letzte Wert gilt weiter',
    ],
    [
      'email must be a text; received a number; the last value stays in use',
      'email muss ein Text sein; empfangen wurde eine Zahl; der letzte Wert gilt weiter',
    ],
    [
      'segmentation must be an object; received a list; the last value stays in use',
      'segmentation muss ein Objekt sein; empfangen wurde eine Liste; der letzte Wert gilt weiter',
    ],
    [
      'is_blocked must be true or false; it is missing; it counts as true until corrected',
      'is_blocked muss true oder false sein; der Wert fehlt und gilt bis zur Korrektur als true',
    ],
    [
      'blocks[0].active must be true or false; received null; it counts as in force until corrected',
      'blocks[0].active muss true oder false sein; empfangen wurde null; die Sperre gilt bis zur Korrektur als wirksam',
    ],
    [
      'country is not a known ISO 3166 country code; it is kept as sent',
      'country ist kein bekannter Ländercode nach ISO 3166; der Wert wird behalten, wie er gesendet wurde',
    ],
    [
      'answered 200 without a list of consents: "no such player"',
      'antwortete mit 200 ohne eine Liste der Einwilligungen: "no such player"',
    ],
    [
      'answered 200 with the blocks, and error: "stale"',
      'antwortete mit 200 und den Sperren, außerdem mit error: "stale"',
    ],
    ['the operator answered 200 with a body in utf-16', 'Der Betreiber antwortete mit 200 und einem Inhalt in utf-16'],
    [
      'the token endpoint: no complete answer within 50 ms',
      'Der Endpunkt für Token: Keine vollständige Antwort innerhalb von 50 ms',
    ],
    ['the token endpoint: connect ECONNREFUSED ::1:9', 'Der Endpunkt für Token: „connect ECONNREFUSED ::1:9“'],
    ['found a text, expected comma or end', 'Gefunden: ein Text; erwartet: Komma oder Ende'],
    ['550 mailbox is unknown', '„550 mailbox is unknown“'],
    ['must be fun', '„must be fun“'],
  ])('%s', (english, german) => {
    expect(inLanguage(english, 'de')).toBe(german);
    expect(inLanguage(english, 'en')).toBe(english);
  });
});
