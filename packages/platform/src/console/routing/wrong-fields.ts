import type { FieldError } from '@croupier/contracts';
import type { Words } from '../../language.ts';
import { germanOf } from '../language/translate.ts';
import { Refused } from './refused.ts';

/**
 * What is wrong with a value. The keys are keywords of JSON Schema that it does not satisfy (http/endpoints/read-part.ts), and
 * rules of validators whose messages contain nothing more. `#` is replaced by the limit.
 */
const german: Readonly<Record<string, string>> = {
  additionalProperties: 'ist unbekannt',
  anyOf: 'hat keine der erlaubten Formen',
  const: 'hat nicht den erlaubten Wert',
  enum: 'hat keinen der erlaubten Werte',
  exclusiveMaximum: 'muss kleiner als # sein',
  exclusiveMinimum: 'muss größer als # sein',
  format: 'hat nicht die richtige Form',
  maximum: 'darf höchstens # sein',
  maxItems: 'darf höchstens # Einträge haben',
  maxLength: 'darf höchstens # Zeichen haben',
  max_length: 'darf höchstens # Zeichen haben',
  maxProperties: 'darf höchstens # Einträge haben',
  minimum: 'muss mindestens # sein',
  minItems: 'muss mindestens # Einträge haben',
  minLength: 'muss mindestens # Zeichen haben',
  minProperties: 'muss mindestens # Einträge haben',
  multipleOf: 'muss ein Vielfaches von # sein',
  past: 'muss in der Zukunft liegen',
  pattern: 'hat nicht die richtige Form',
  required: 'fehlt',
  type: 'hat nicht den richtigen Typ',
  uniqueItems: 'enthält einen Wert mehrfach',
};

const germanTypes: Readonly<Record<string, string>> = {
  array: 'eine Liste',
  boolean: 'true oder false',
  integer: 'eine ganze Zahl',
  null: 'null',
  number: 'eine Zahl',
  object: 'ein Objekt',
  string: 'ein Text',
};

/**
 * Translates the error of a validator. A message that has no translation, such as one of a library, is quoted, and the German text
 * names the field. Pure.
 */
export function wordsOfField({ path, rule, message }: FieldError): Words {
  return { en: message, de: germanMessage(path, message) ?? germanByRule({ path, rule, message }) };
}

/** A message may begin with its path or the end of it: `path must be ...`, `path: ...`. */
function germanMessage(path: string, message: string): string | undefined {
  for (const separator of [' ', ': ']) {
    const end = message.indexOf(separator);
    if (end <= 0 || !`.${path}`.endsWith(`.${message.slice(0, end)}`)) continue;
    const german = germanOf(message.slice(end + separator.length));
    if (german !== undefined) return `${path}${/^[A-ZÄÖÜ]/.test(german) ? ': ' : separator}${german}`;
  }
  return germanOf(message);
}

function germanByRule({ path, rule, message }: FieldError): string {
  const what = path === '' ? 'Der Inhalt' : path;
  return `${what} ${germanFault(rule, message) ?? `ist nicht gültig („${message}“)`}`;
}

function germanFault(rule: string, message: string): string | undefined {
  if (rule === 'enum') {
    const values = / must be one of (.+)$/s.exec(message)?.[1];
    if (values !== undefined) return `muss einer dieser Werte sein: ${values}`;
  }
  if (rule === 'type') {
    const type = germanTypes[/ must be (\w+)$/.exec(message)?.[1] ?? ''];
    if (type !== undefined) return `muss ${type} sein`;
  }
  const fault = german[rule];
  if (!fault?.includes('#')) return fault;
  // The name of a field can contain digits; the limit is the last number.
  const limit = /(-?\d+(?:\.\d+)?)\D*$/.exec(message)?.[1];
  return limit === undefined ? undefined : fault.replace('#', limit);
}

/** Refuses a call for its fields. The detail is the list of all of them. */
export function wrongFields(found: readonly FieldError[]): Refused {
  const errors = found.map((error) => ({ ...error, message: wordsOfField(error) }));
  const list = (language: keyof Words) => errors.map(({ message }) => message[language]).join('; ');
  return new Refused('invalid_request', { en: list('en'), de: list('de') }, { errors });
}
