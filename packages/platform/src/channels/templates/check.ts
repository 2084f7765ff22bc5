import type { FieldError } from '@croupier/contracts';
import type { ReadTemplate } from './compose.ts';
import { languageTag } from './language.ts';
import { channelFields, longestField, mostLanguages, type TemplateChannel, type TemplateContent } from './template.ts';
import { whyUnknown } from './variables.ts';

/** Whether content has the fields of its channel; each error names language and field. Pure. `ReadTemplate` checks the Liquid. */
export function contentErrors(channel: TemplateChannel, content: TemplateContent): FieldError[] {
  const languages = Object.keys(content);
  if (languages.length === 0)
    return [{ path: 'content', rule: 'required', message: 'content requires at least one language: {"en": {...}}' }];
  if (languages.length > mostLanguages)
    return [{ path: 'content', rule: 'max', message: `content has more than ${mostLanguages} languages` }];
  const seen = new Set<string>();
  const ofFields = languages.flatMap((language) => {
    const tag = languageTag(language);
    if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(tag))
      return [at(language, 'language', `${language} is not a language code such as en or pt-BR`)];
    if (seen.has(tag)) return [at(language, 'language', `${language} occurs twice`)];
    seen.add(tag);
    return Object.entries(content[language] ?? {}).flatMap(([field, value]) =>
      fieldErrors(channel, language, field, value),
    );
  });
  return ofFields.length > 0 ? ofFields : buttonErrors(content);
}

/**
 * A message whose first button has no link is refused when it is sent, so a template for such a message is refused when it is saved. The
 * link may be in another language, because missing required fields come from there (`complete.ts`).
 */
function buttonErrors(content: TemplateContent): FieldError[] {
  const isGiven = (field: string) => (fields: TemplateContent[string]) => (fields[field] ?? '') !== '';
  const [words, link] = ['cta_button_text', 'cta_button_link'];
  const [language] = Object.entries(content).find(([, fields]) => isGiven(words)(fields)) ?? [];
  if (language === undefined || Object.values(content).some(isGiven(link))) return [];
  return [at(`${language}.${link}`, 'required', `${link} is missing; the button ${words} requires a link`)];
}

function fieldErrors(channel: TemplateChannel, language: string, field: string, value: unknown): FieldError[] {
  const spec = channelFields[channel][field];
  const path = `${language}.${field}`;
  if (spec === undefined) {
    const known = Object.keys(channelFields[channel]).join(', ');
    return [at(path, 'unknown', `${field} is not a field of the channel ${channel}; its fields are ${known}`)];
  }
  if (spec.kind === 'data') {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? [] : [at(path, 'object', `${field} must be a JSON object`)];
  }
  if (typeof value !== 'string') return [at(path, 'string', `${field} must be a string`)];
  if (value.length > longestField)
    return [at(path, 'max_length', `${field} has ${value.length} characters; the maximum is ${longestField}`)];
  if (spec.values !== undefined && !spec.values.includes(value))
    return [at(path, 'choice', `${field} must be one of ${spec.values.join(', ')}`)];
  return [];
}

/** Errors for variables that do not exist. Pure. */
export function variableErrors(template: ReadTemplate): FieldError[] {
  return template.variables.flatMap((name) => {
    const why = whyUnknown(name);
    return why === null ? [] : [at('content', 'variable', why)];
  });
}

function at(path: string, rule: string, message: string): FieldError {
  return { path: path === 'content' ? path : `content.${path}`, rule, message };
}
