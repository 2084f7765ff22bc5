import { timestamptzText } from '../../../database/index.ts';
import { signOfFailure } from '../../../operator/judging/index.ts';
import type { OperatorChannelSettings, WebhookSettings } from '../../settings/settings.ts';
import type { OperatorContent, WebhookContent } from '../message.ts';
import { signedHeaders } from '../sign.ts';
import { textAt } from './json-paths.ts';
import type { CallSubject, ProviderCall } from './provider.ts';

/**
 * A signed call to any system. Its body is set by the author, or by default names the player and the reason. Any 2xx means that
 * it was accepted.
 */
export function webhookCall(
  { secret }: WebhookSettings,
  { url, body }: Pick<WebhookContent, 'url' | 'body'>,
  subject: CallSubject,
): ProviderCall {
  const text = body === '' ? JSON.stringify(aboutMessage(subject)) : body;
  return {
    url,
    headers: { 'content-type': 'application/json', ...signed(secret, text, subject) },
    body: text,
    mayBePrivate: isAllowed(url, subject.brand.settings.webhook_allowed),
    isUrlOfSettings: false,
    repeatable: true,
    taken: () => ({ outcome: 'sent', provider_id: null }),
  };
}

/** Origins that the brand allowed may be private, and may use http. */
export function isAllowed(url: string, allowed: readonly string[]): boolean {
  const origin = URL.parse(url)?.origin;
  return allowed.some((one) => URL.parse(one)?.origin === origin);
}

/**
 * A message by the operator's own channel. The operator answers 2xx when it has accepted the message, optionally with its own
 * id: `{"id": "..."}`. A 2xx with a sign of failure (docs/reference/decisions.md 5) is a refusal.
 */
export function operatorCall(
  { url, secret }: OperatorChannelSettings,
  { title, text, data }: Pick<OperatorContent, 'title' | 'text' | 'data'>,
  subject: CallSubject,
): ProviderCall {
  const body = JSON.stringify({ ...aboutMessage(subject), title, text, data: JSON.parse(data) });
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...signed(secret, body, subject) },
    body,
    mayBePrivate: true,
    isUrlOfSettings: true,
    repeatable: true,
    taken: (said, answer) =>
      signOfFailure(Buffer.from(answer)) === undefined
        ? { outcome: 'sent', provider_id: textAt(said, 'id') }
        : { outcome: 'failed', reason: 'refused' },
  };
}

function aboutMessage({ message_id, brand, user_id, purpose, campaign_id, at }: CallSubject) {
  return {
    message_id: String(message_id),
    brand: brand.code,
    user_id,
    purpose,
    campaign_id,
    timestamp: timestamptzText(at),
  };
}

function signed(secret: string, body: string, { message_id, brand, at }: CallSubject) {
  return signedHeaders({ id: String(message_id), body, secret, at }, brand.settings.reference_prefix);
}
