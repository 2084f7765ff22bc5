import type { FieldSpec } from '../../settings-form/index.ts';

/** Channels that have their own settings. */
export const channelsWithSettings = ['email', 'sms', 'webhook', 'operator'] as const;
export type ChannelWithSettings = (typeof channelsWithSettings)[number];

export const consents = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'];

const limits: readonly FieldSpec[] = [
  { path: 'per_second', kind: 'number', min: 0 },
  { path: 'max_connections', kind: 'number', min: 1 },
  { path: 'call_timeout_ms', kind: 'number', min: 100 },
];

const twilio = { path: 'provider', is: 'twilio' };
const http = { path: 'provider', is: 'http' };

const consent: ChannelGroup = { name: 'consent', fields: [{ path: 'consent', kind: 'choice', values: consents }] };

/** A group of settings, with a heading. Advanced ones are folded at first. */
export interface ChannelGroup {
  name: 'server' | 'provider' | 'sender' | 'signature' | 'reports' | 'consent' | 'limits' | 'request';
  fields: readonly FieldSpec[];
  isAdvanced?: true;
}

export const channelGroups: Readonly<Record<ChannelWithSettings, readonly ChannelGroup[]>> = {
  email: [
    {
      name: 'server',
      fields: [
        { path: 'host', kind: 'text', required: true },
        { path: 'port', kind: 'number', min: 1, max: 65_535, required: true },
        { path: 'security', kind: 'choice', values: ['starttls', 'tls', 'none'], required: true },
        { path: 'username', kind: 'text' },
        { path: 'password', kind: 'secret' },
      ],
    },
    {
      name: 'sender',
      fields: [
        { path: 'from_address', kind: 'text', required: true },
        { path: 'from_name', kind: 'text' },
        { path: 'reply_to', kind: 'text' },
      ],
    },
    { name: 'reports', fields: [{ path: 'bounce_address', kind: 'text' }] },
    {
      name: 'signature',
      isAdvanced: true,
      fields: [
        { path: 'dkim.domain', kind: 'text' },
        { path: 'dkim.selector', kind: 'text' },
        { path: 'dkim.private_key', kind: 'area' },
      ],
    },
    {
      name: 'limits',
      isAdvanced: true,
      fields: [
        { path: 'per_second', kind: 'number', min: 1 },
        { path: 'max_connections', kind: 'number', min: 1 },
        { path: 'call_timeout_ms', kind: 'number', min: 100 },
      ],
    },
  ],
  sms: [
    {
      name: 'provider',
      fields: [
        { path: 'enabled', kind: 'switch' },
        { path: 'provider', kind: 'choice', values: ['twilio', 'http'], required: true },
        { path: 'account_sid', kind: 'text', required: true, when: twilio },
        { path: 'key_sid', kind: 'text', when: twilio },
        { path: 'auth_token', kind: 'secret', when: twilio },
        { path: 'url', kind: 'text', required: true, when: http },
        { path: 'headers', kind: 'json', when: http },
      ],
    },
    {
      name: 'sender',
      fields: [
        { path: 'from', kind: 'text' },
        { path: 'messaging_service_sid', kind: 'text', when: twilio },
      ],
    },
    {
      name: 'request',
      fields: [
        { path: 'content_type', kind: 'text', when: http },
        { path: 'body', kind: 'area', required: true, when: http },
        { path: 'answer', kind: 'json', when: http },
        { path: 'idempotency_header', kind: 'text', when: http },
      ],
    },
    {
      name: 'reports',
      fields: [
        { path: 'delivery_reports', kind: 'switch', when: twilio },
        { path: 'reply_token', kind: 'secret', when: twilio },
        { path: 'reports', kind: 'json', when: http },
        { path: 'replies', kind: 'json', when: http },
        { path: 'report_key', kind: 'secret', when: http },
      ],
    },
    { name: 'limits', isAdvanced: true, fields: [...limits, { path: 'api_url', kind: 'text', when: twilio }] },
  ],
  webhook: [
    {
      name: 'request',
      fields: [
        { path: 'enabled', kind: 'switch' },
        { path: 'secret', kind: 'secret' },
      ],
    },
    consent,
    { name: 'limits', isAdvanced: true, fields: limits },
  ],
  operator: [
    {
      name: 'request',
      fields: [
        { path: 'enabled', kind: 'switch' },
        { path: 'url', kind: 'text', required: true },
        { path: 'secret', kind: 'secret' },
      ],
    },
    consent,
    { name: 'limits', isAdvanced: true, fields: limits },
  ],
};

/** Returns all settings of a channel, in display order. Pure. */
export function fieldsOf(channel: ChannelWithSettings): FieldSpec[] {
  return channelGroups[channel].flatMap(({ fields }) => fields);
}

/** Initial settings of a channel that was never set up. */
export const firstValues: Readonly<Record<ChannelWithSettings, Record<string, unknown>>> = {
  email: { port: 587, security: 'starttls', per_second: 50, max_connections: 5, call_timeout_ms: 60_000 },
  sms: {
    provider: 'twilio',
    delivery_reports: true,
    api_url: 'https://api.twilio.com',
    content_type: 'application/json',
    body: '{"to": {{ to | json }}, "from": {{ from | json }}, "text": {{ text | json }}}',
    enabled: true,
    per_second: 10,
    max_connections: 5,
    call_timeout_ms: 15_000,
  },
  webhook: { enabled: true, per_second: 10, max_connections: 5, call_timeout_ms: 15_000 },
  operator: { enabled: true, per_second: 10, max_connections: 5, call_timeout_ms: 15_000 },
};

/**
 * Returns the settings in the form that the platform accepts. It contains only the fields of the chosen provider,
 * without empty ones. Secrets that were not entered are left out, so the stored secrets stay. Pure.
 */
export function settingsToSend(
  channel: ChannelWithSettings,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const { path, kind, when } of fieldsOf(channel)) {
    if (when !== undefined && values[when.path] !== when.is) continue;
    const [name = ''] = path.split('.');
    const value = values[name];
    const isNothing =
      value === undefined || (value === '' && channel !== 'email') || (kind === 'json' && isEmptyObject(value));
    if (!isNothing) sent[name] = value;
  }
  if (channel === 'email') {
    const dkim = Object.fromEntries(Object.entries((values.dkim ?? {}) as object).filter(([, part]) => part !== ''));
    // If the user empties these fields, the signature is removed.
    if (Object.keys(dkim).length > 0) sent.dkim = dkim;
    else if (values.dkim !== undefined) sent.dkim = null;
  }
  return sent;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
