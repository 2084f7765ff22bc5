import type { HttpSmsSettings } from '../../settings/settings.ts';
import { TemplateEngine } from '../../templates/liquid.ts';
import type { CallOutcome } from '../judge.ts';
import { textAt } from './json-paths.ts';
import type { ProviderCall } from './provider.ts';

/* SMS through any provider that accepts a POST. The body is a Liquid template, and the settings define how the answer is read. */

/** The variables of the template, without `from`, which the settings contain. */
export interface SmsToSend {
  to: string;
  text: string;
  message_id: number;
  parts: number;
  brand: string;
}

const engine = new TemplateEngine();

/** @throws {TemplateFault} if the body cannot be rendered */
export function httpSmsCall(settings: HttpSmsSettings, sms: SmsToSend): ProviderCall {
  const { url, headers = {}, content_type, body, from, idempotency_header, answer } = settings;
  const variables = { ...sms, message_id: String(sms.message_id), from: from ?? '' };
  const key = idempotency_header === undefined ? {} : { [idempotency_header.toLowerCase()]: variables.message_id };
  return {
    url,
    headers: { ...lowerCase(headers), 'content-type': content_type, ...key },
    body: engine.render(engine.parse(body, 'plain'), variables, new Set()),
    mayBePrivate: true,
    isUrlOfSettings: true,
    repeatable: idempotency_header !== undefined,
    taken: (said) => taken(answer, said),
  };
}

function taken({ id, success, refused, account }: HttpSmsSettings['answer'], body: unknown): CallOutcome {
  if (account?.values.includes(textAt(body, account.path) ?? ''))
    return { outcome: 'retry', reason: 'account_refused', retry_after_ms: null };
  if (refused?.values.includes(textAt(body, refused.path) ?? '')) return { outcome: 'failed', reason: 'refused' };
  if (success !== undefined && !success.values.includes(textAt(body, success.path) ?? ''))
    return { outcome: 'unknown', reason: 'unclear' };
  return { outcome: 'sent', provider_id: id === undefined ? null : textAt(body, id) };
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
