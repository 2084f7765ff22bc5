import type { FieldError } from '@croupier/contracts';
import type { ReadTemplate } from './compose.ts';
import { languageTag } from './language.ts';
import { channelFields, longestField, mostLanguages, type TemplateChannel, type TemplateContent } from './template.ts';
import { whyUnknown } from './variables.ts';

/** Whether content has the fields of its channel; each error names language and field. Pure. Liquid is looked at by `ReadTemplate`. */
export function contentErrors(channel: TemplateChannel, content: TemplateContent): FieldError[] {
  const languages = Object.keys(content);
  if (languages.length === 0)
    return [{ path: 'content', rule: 'required', message: 'content needs at least one language: {"en": {...}}' }];
  if (languages.length > mostLanguages)
    return [{ path: 'content', rule: 'max', message: `content has more than ${mostLanguages} languages` }];
  const seen = new Set<string>();
  return languages.flatMap((language) => {
    const tag = languageTag(language);
    if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(tag))
      return [at(language, 'language', `${language} is no language such as en or pt-BR`)];
    if (seen.has(tag)) return [at(language, 'language', `${language} is there twice`)];
    seen.add(tag);
    return Object.entries(content[language] ?? {}).flatMap(([field, value]) =>
      fieldErrors(channel, language, field, value),
    );
  });
}

function fieldErrors(channel: TemplateChannel, language: string, field: string, value: unknown): FieldError[] {
  const spec = channelFields[channel][field];
  const path = `${language}.${field}`;
  if (spec === undefined) {
    const known = Object.keys(channelFields[channel]).join(', ');
    return [at(path, 'unknown', `${field} is no field of the channel ${channel}: it has ${known}`)];
  }
  if (spec.kind === 'data') {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? [] : [at(path, 'object', `${field} must be a JSON object`)];
  }
  if (typeof value !== 'string') return [at(path, 'string', `${field} must be a text`)];
  if (value.length > longestField)
    return [at(path, 'max_length', `${field} has ${value.length} characters, ${longestField} are allowed`)];
  if (spec.values !== undefined && !spec.values.includes(value))
    return [at(path, 'choice', `${field} must be one of ${spec.values.join(', ')}`)];
  return [];
}

/** What the texts name and nobody knows. Pure. */
export function variableErrors(template: ReadTemplate): FieldError[] {
  return template.variables.flatMap((name) => {
    const why = whyUnknown(name);
    return why === null ? [] : [at('content', 'variable', why)];
  });
}

function at(path: string, rule: string, message: string): FieldError {
  return { path: path === 'content' ? path : `content.${path}`, rule, message };
}
