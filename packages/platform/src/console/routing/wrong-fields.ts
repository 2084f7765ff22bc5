import type { FieldError } from '@croupier/contracts';
import type { Words } from '../../language.ts';
import { Refused } from './refused.ts';

/** What is wrong with a value, by the keyword of JSON Schema (http/endpoints/read-part.ts) that it does not satisfy. */
const german: Readonly<Record<string, string>> = {
  additionalProperties: 'ist unbekannt',
  anyOf: 'hat keine der erlaubten Formen',
  const: 'hat nicht den erlaubten Wert',
  enum: 'hat keinen der erlaubten Werte',
  exclusiveMaximum: 'ist zu groß',
  exclusiveMinimum: 'ist zu klein',
  format: 'hat nicht die richtige Form',
  maximum: 'ist zu groß',
  maxItems: 'hat zu viele Einträge',
  maxLength: 'ist zu lang',
  maxProperties: 'hat zu viele Einträge',
  minimum: 'ist zu klein',
  minItems: 'hat zu wenige Einträge',
  minLength: 'ist zu kurz',
  minProperties: 'hat zu wenige Einträge',
  multipleOf: 'hat zu viele Nachkommastellen',
  pattern: 'hat nicht die richtige Form',
  required: 'fehlt',
  type: 'hat nicht den richtigen Typ',
  uniqueItems: 'enthält einen Wert zweimal',
};

const listedValues = / must be one of (.+)$/s;

/**
 * Translates the error of a validator. Those of schemas are translated whole. Other validators (of Liquid, settings and rules, for
 * example) explain themselves in English; the German text then names the field and quotes the explanation. Pure.
 */
export function wordsOfField({ path, rule, message }: FieldError): Words {
  const what = path === '' ? 'Der Inhalt' : path;
  const values = rule === 'enum' ? listedValues.exec(message)?.[1] : undefined;
  if (values !== undefined) return { en: message, de: `${what} muss einer dieser Werte sein: ${values}` };
  const known = german[rule];
  return { en: message, de: known === undefined ? `${what} ist nicht gültig („${message}“)` : `${what} ${known}` };
}

/** Refuses a call for its fields. The detail is the list of all of them. */
export function wrongFields(found: readonly FieldError[]): Refused {
  const errors = found.map((error) => ({ ...error, message: wordsOfField(error) }));
  const list = (language: keyof Words) => errors.map(({ message }) => message[language]).join('; ');
  return new Refused('invalid_request', { en: list('en'), de: list('de') }, { errors });
}
