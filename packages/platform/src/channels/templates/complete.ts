import { chooseLanguage } from './language.ts';
import type { TemplateChannel, TemplateContent, WrittenFields } from './template.ts';

/**
 * Fields without which a message of the channel is refused. Of each group one field is enough; `with` limits it to messages that have that
 * field.
 */
const required: Readonly<Record<TemplateChannel, readonly { oneOf: readonly string[]; with?: string }[]>> = {
  site: [{ oneOf: ['title', 'message'] }, { oneOf: ['cta_button_link'], with: 'cta_button_text' }],
  push: [{ oneOf: ['title', 'message'] }, { oneOf: ['cta_button_link'], with: 'cta_button_text' }],
  email: [{ oneOf: ['subject'] }, { oneOf: ['mjml', 'html'] }],
  sms: [{ oneOf: ['text'] }],
  webhook: [{ oneOf: ['url'] }],
  operator: [{ oneOf: ['title', 'text', 'data'] }],
  telephone: [{ oneOf: ['list'] }],
  post_mail: [{ oneOf: ['list'] }],
  block: [],
};

/**
 * The fields of one language, and the required ones that it lacks, from another language. Among the languages that have them, the other
 * language is chosen as for a player with this language. Optional fields stay empty, because their absence may be intended. Pure.
 */
export function completeFields(
  channel: TemplateChannel,
  content: TemplateContent,
  language: string,
  brandDefault: string,
): WrittenFields {
  const own = content[language] ?? {};
  const added = required[channel]
    .filter((group) => (group.with === undefined || isGiven(own, group.with)) && !hasOne(own, group.oneOf))
    .flatMap(({ oneOf }) => {
      const having = Object.keys(content).filter((other) => hasOne(content[other] ?? {}, oneOf));
      const other = content[chooseLanguage(having, language, brandDefault) ?? ''] ?? {};
      return Object.entries(other).filter(([name]) => oneOf.includes(name));
    });
  return { ...own, ...Object.fromEntries(added) };
}

function hasOne(fields: WrittenFields, names: readonly string[]): boolean {
  return names.some((name) => isGiven(fields, name));
}

export function isGiven(fields: WrittenFields, name: string): boolean {
  const value = fields[name];
  return value !== undefined && (typeof value !== 'string' || value.trim() !== '');
}
