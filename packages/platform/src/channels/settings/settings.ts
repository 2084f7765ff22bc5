import { consentTypes } from '@croupier/contracts';
import Type, { type Static, type TSchema } from 'typebox';
import { explain, type SettingError } from '../../brands/index.ts';
import { Value } from '../../schema-check.ts';
import type { CallChannel } from '../calls/message.ts';
import { pathsProblem } from '../calls/providers/json-paths.ts';
import { TemplateEngine, TemplateFault } from '../templates/liquid.ts';

/*
 * A brand's settings for a channel that calls a provider, set by `PUT channels`. Each setting documents its effect, unit and
 * default. Secrets are written and never returned: they are sealed with CROUPIER_SECRET.
 */
const strict = { additionalProperties: false };
const secret = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description, writeOnly: true });

/** Settings of every channel. */
const common = {
  enabled: Type.Boolean({ default: true, description: 'If off, messages wait until they expire.' }),
  per_second: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_000,
    default: 10,
    description: 'Maximum messages per second that all workers together start. For webhooks: per host.',
  }),
  max_connections: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 5,
    description: 'Concurrent calls from one worker. For webhooks: per host.',
  }),
  call_timeout_ms: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 15_000,
    description:
      'Milliseconds for one call. Without an answer by then, the call is retried if its receiver recognizes repeated ids: webhooks, the channel of the operator, and an SMS provider with `idempotency_header`. Otherwise the outcome is unknown, and the message is not sent again.',
  }),
};

const url = Type.String({ pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$', maxLength: 2_000 });
const sender = Type.String({
  pattern: '^(\\+[1-9]\\d{6,14}|\\d{3,8}|[A-Za-z0-9 &_-]{1,11})$',
  description: 'Sender of an SMS: a number in E.164 format, a short code, or up to 11 letters and digits.',
});
const Path = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,200}$',
  description: 'Path in the JSON of the answer: `messages.0.id`',
});
/** A path of a report or a reply. Providers often post several in one list. */
const ListPath = { pattern: '^[A-Za-z0-9_.*-]{1,200}$' };
const words = { maxItems: 50 };
const Words = Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 50 });

const twilio = Type.Object(
  {
    ...common,
    provider: Type.Literal('twilio'),
    account_sid: Type.String({ pattern: '^AC[A-Za-z0-9]{32}$', description: 'Account SID.' }),
    key_sid: Type.Optional(Type.String({ pattern: '^SK[A-Za-z0-9]{32}$', description: 'API key, if you use one.' })),
    auth_token: secret('Auth token, or the secret of the API key.'),
    reply_token: Type.Optional(
      secret('Auth token of the account, with which Twilio signs replies. Required only if you use an API key.'),
    ),
    from: Type.Optional(sender),
    delivery_reports: Type.Boolean({
      default: true,
      description: 'Twilio reports the delivery of each SMS. Requires a `public_url` that Twilio can call.',
    }),
    messaging_service_sid: Type.Optional(
      Type.String({ pattern: '^MG[A-Za-z0-9]{32}$', description: 'Instead of `from`.' }),
    ),
    api_url: Type.String({
      ...url,
      default: 'https://api.twilio.com',
      description: 'Base URL of the API, for accounts in other regions.',
    }),
  },
  strict,
);

const reports = Type.Object(
  {
    id: Type.String({
      ...ListPath,
      description:
        "Path of the provider's message id, the same id that `answer.id` reads: `message.id`, or `results.*.id` for each element of a list.",
    }),
    reference: Type.Optional(
      Type.String({
        ...ListPath,
        description:
          'Path of the `message_id` that the body of the call contained, if the provider repeats it in reports. It identifies an SMS whose call got no answer.',
      }),
    ),
    status: Type.String({ ...ListPath, description: 'Path of the status.' }),
    delivered: Type.Array(Type.String({ maxLength: 200 }), {
      ...words,
      description: 'Values of `status` that mean delivered.',
    }),
    undelivered: Type.Array(Type.String({ maxLength: 200 }), {
      ...words,
      default: [],
      description: 'Values of `status` that mean not delivered this time.',
    }),
    no_such_number: Type.Array(Type.String({ maxLength: 200 }), {
      ...words,
      default: [],
      description: 'Values of `status` that mean the number cannot receive SMS. The number is suppressed.',
    }),
    policy: Type.Array(Type.String({ maxLength: 200 }), {
      ...words,
      default: [],
      description:
        'Values of `status` that mean refused because of the sender, its account or the content. They never suppress the number.',
    }),
  },
  { ...strict, description: 'How to read the delivery reports that the provider posts as JSON.' },
);

const replies = Type.Object(
  {
    id: Type.String({
      ...ListPath,
      description:
        "Path of the provider's id of the reply: `message.id`, or `results.*.id` for each element of a list. A reply with the same id counts once.",
    }),
    from: Type.String({
      ...ListPath,
      description:
        'Path of the number of the sender, with its country code if possible. Without it, the number is compared within the country of each player.',
    }),
    text: Type.String({ ...ListPath, description: 'Path of the text.' }),
  },
  {
    ...strict,
    description:
      'How to read the replies of players that the provider posts as JSON, to the same URL as delivery reports. STOP withdraws the consent.',
  },
);

const http = Type.Object(
  {
    ...common,
    provider: Type.Literal('http'),
    url: Type.String({ ...url, description: 'URL for POST calls. It may be a private address.' }),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }), Type.String({ maxLength: 2_000 }), {
        writeOnly: true,
        description: 'Headers such as Authorization. All of them are secret.',
      }),
    ),
    content_type: Type.String({ pattern: '^[\\w.+/; =-]{1,100}$', default: 'application/json' }),
    body: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description:
        'Liquid template with the variables to, from, text, message_id, parts and brand. In JSON, write {{ text | json }}; in a form, {{ text | url_encode }}.',
    }),
    from: Type.Optional(sender),
    idempotency_header: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,100}$',
        description:
          'Header for the id of a message. Set it if the provider guarantees that it processes each id once. Calls without an answer are then retried; otherwise they are not.',
      }),
    ),
    report_key: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{20,100}$',
        writeOnly: true,
        description: 'Secret at the end of the URL to which the provider posts delivery reports and replies.',
      }),
    ),
    reports: Type.Optional(reports),
    replies: Type.Optional(replies),
    answer: Type.Object(
      {
        id: Type.Optional(Path),
        success: Type.Optional(Type.Object({ path: Path, values: Words }, strict)),
        refused: Type.Optional(Type.Object({ path: Path, values: Words }, strict)),
        account: Type.Optional(Type.Object({ path: Path, values: Words }, strict)),
      },
      {
        ...strict,
        default: {},
        description:
          'How a 2xx answer is read. `success`: only these values mean accepted; any other value is unknown. `refused`: these values mean permanently refused. `account`: these values mean that the account cannot send now, for example without balance; the SMS is retried.',
      },
    ),
  },
  strict,
);

const consent = Type.Optional(
  Type.Enum([...consentTypes], {
    description:
      'Consent required for marketing. Default: none, so only blocks and exclusions prevent a call. Required if the call leads to a contact.',
  }),
);

const webhook = Type.Object(
  {
    ...common,
    secret: secret('Signs each call (HMAC-SHA-256).'),
    consent,
  },
  strict,
);

const operator = Type.Object(
  {
    ...common,
    url: Type.String({
      ...url,
      description: 'URL of the operator that accepts messages. It may be a private address.',
    }),
    secret: secret('Signs each call (HMAC-SHA-256).'),
    consent,
  },
  strict,
);

export type TwilioSettings = Static<typeof twilio>;
export type HttpSmsSettings = Static<typeof http>;
export type WebhookSettings = Static<typeof webhook>;
export type OperatorChannelSettings = Static<typeof operator>;
export interface ChannelSettings {
  sms: TwilioSettings | HttpSmsSettings;
  webhook: WebhookSettings;
  operator: OperatorChannelSettings;
}
export type AnySettings = ChannelSettings[CallChannel];

const smsSchemas: Record<string, TSchema> = { twilio, http };
const schemas: Record<Exclude<CallChannel, 'sms'>, TSchema> = { webhook, operator };
/** Settings that are sealed, and never returned. */
const secretNames = ['auth_token', 'reply_token', 'secret', 'headers', 'report_key'];

/**
 * Sets defaults and validates. Omitted secrets keep their values.
 *
 * @param before the current settings, with their secrets
 */
export function readSettings<C extends CallChannel>(
  channel: C,
  given: Record<string, unknown>,
  before: ChannelSettings[C] | null,
): { ok: true; settings: ChannelSettings[C] } | { ok: false; errors: SettingError[] } {
  const provider = given.provider;
  const schema = channel === 'sms' ? smsSchemas[String(provider)] : schemas[channel as 'webhook' | 'operator'];
  if (schema === undefined)
    return { ok: false, errors: [{ path: 'provider', message: 'must be one of twilio, http' }] };
  const properties = (schema as unknown as { properties: Record<string, TSchema> }).properties;
  const isSame = channel !== 'sms' || (before as { provider?: string } | null)?.provider === provider;
  const stay = Object.entries(isSame && before !== null ? before : {}).filter(
    ([name]) => secretNames.includes(name) && properties[name] !== undefined && !(name in given),
  );
  const whole = Value.Default(schema, { ...structuredClone(given), ...Object.fromEntries(stay) });
  if (!Value.Check(schema, whole)) return { ok: false, errors: explain(schema, whole, '') };
  const twilioSender = whole as TwilioSettings;
  if (provider === 'twilio' && (twilioSender.from === undefined) === (twilioSender.messaging_service_sid === undefined))
    return { ok: false, errors: [{ path: 'from', message: 'set either from or messaging_service_sid' }] };
  const errors = provider === 'http' ? httpErrors(whole as HttpSmsSettings) : [];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, settings: whole as ChannelSettings[C] };
}

/** Headers that belong to the connection, not to the caller. */
const ofConnection =
  /^(?:host|connection|keep-alive|upgrade|expect|content-length|content-type|transfer-encoding|te|trailer)$/i;

function httpErrors({ headers = {}, idempotency_header, body, reports, replies }: HttpSmsSettings): SettingError[] {
  const errors = Object.entries(headers).flatMap(([name, value]) =>
    ofConnection.test(name) || !/^[\x20-\x7e]*$/.test(value)
      ? [{ path: `headers.${name}`, message: 'is not a header that can be set, or contains invalid characters' }]
      : [],
  );
  if (idempotency_header !== undefined && ofConnection.test(idempotency_header))
    errors.push({ path: 'idempotency_header', message: 'is not a header that can be set' });
  const paths = {
    reports:
      reports === undefined
        ? []
        : [reports.id, reports.status, ...(reports.reference === undefined ? [] : [reports.reference])],
    replies: replies === undefined ? [] : [replies.id, replies.from, replies.text],
  };
  for (const [path, of] of Object.entries(paths)) {
    const message = pathsProblem(of);
    if (message !== null) errors.push({ path, message });
  }
  try {
    new TemplateEngine().parse(body, 'plain');
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    errors.push({ path: 'body', message: error.message });
  }
  return errors;
}

/** Separates settings that may be shown from those that are sealed. */
export function splitSecrets(settings: AnySettings): {
  open: Record<string, unknown>;
  secrets: Record<string, unknown>;
} {
  const entries = Object.entries(settings);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !secretNames.includes(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => secretNames.includes(name))),
  };
}
