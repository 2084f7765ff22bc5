import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Brand, changedEmail } from '../../brands/index.ts';
import {
  type CallChannel,
  listPairs,
  readChannelSettings,
  readSettings,
  type Tested,
  testCall,
  testEmail,
} from '../../channels/index.ts';
import { Allowance } from '../../http/allowance.ts';
import type { Words } from '../../language.ts';
import { record } from '../audit/audit.ts';
import { refuseChange } from '../brands/refuse-change.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { refusedSettings } from './refused-settings.ts';

const tested = ['email', 'sms', 'webhook', 'operator', 'push'] as const;
type TestedChannel = (typeof tested)[number];

export const testChannelEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/channels/:channel/test',
  tag: 'Channels',
  summary: 'Test a provider: connect, and send a message that says that it is a test',
  description:
    'email: connects, starts TLS and signs in; with `to`, sends an e-mail there. sms: sends an SMS to `to`. webhook: calls `to`. operator: calls the address in the settings. push: checks whether the current keys can sign. `settings` tests unsaved settings; for omitted secrets, the saved ones are used. The test bypasses the gate, so use your own address or number. The audit records the test without the address.',
  may: 'channel.manage',
  conflict: 'The channel is not set up, and no settings were given',
  tooMany: 'Ten tests of a channel in a row are allowed, then one every ten seconds',
  params: Type.Object({ ...BrandParams.properties, channel: Type.Enum([...tested]) }),
  body: Type.Object(
    {
      settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      to: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    },
    { additionalProperties: false, default: {} },
  ),
  status: 200,
  answer: Type.Object({
    ok: Type.Boolean(),
    outcome: Type.Enum(['connected', 'sent', 'retry', 'failed', 'bounced', 'unknown'], {
      description:
        'The outcome that a message would have had. connected: nothing was sent. retry: a message would be retried',
    }),
    reason: Nullable(Type.String({ description: 'As for messages of the channel' })),
    status: Nullable(Type.Integer({ description: "The status of the provider's answer" })),
    detail: Type.String({ description: "The text of the provider's answer" }),
    took_ms: Type.Integer(),
  }),
});

const rate = { burst: 10, per_second: 0.1 };
const number = /^\+[1-9]\d{6,14}$/;
const address = /^[^@\s<>",;:]+@[^@\s<>",;:]+\.[^@\s<>",;:.]+$/;

/** Tests of the providers that channels depend on. */
export function channelTestRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, push } = deps;
  const allowance = new Allowance<string>();

  serve(app, testChannelEndpoint, async ({ access, brand, params, body }) => {
    const channel = params.channel as TestedChannel;
    const run = await preparedTest(channel, brand, body);
    const wait = allowance.take(`${brand.brand_id} ${channel}`, rate, clock());
    if (wait !== null) throw tooMany(wait);
    const startedAt = performance.now();
    const result = await run();
    const { outcome, reason } = result;
    const details = { outcome, reason, saved: body.settings === undefined };
    await record(deps, access, { action: 'channel.tested', brand, subject: `channel ${channel}`, details });
    return { ...result, took_ms: Math.round(performance.now() - startedAt) };
  });

  /** Checks a test without calling the provider, so that wrong settings do not count as a test. The returned function runs it. */
  async function preparedTest(
    channel: TestedChannel,
    brand: Brand,
    { settings, to }: { settings?: Record<string, unknown>; to?: string },
  ): Promise<() => Promise<Tested>> {
    if (channel === 'push') return () => testKeys(brand);
    const at = clock();
    if (channel === 'email') {
      if (to !== undefined && !address.test(to)) throw wrongTo({ en: 'an e-mail address', de: 'eine E-Mail-Adresse' });
      const email = settings === undefined ? brand.email : emailOf(brand, settings);
      if (email === null) throw notSetUp(channel);
      return () => testEmail(brand, email, { to: to ?? null, at });
    }
    if (channel === 'sms' && !number.test(to ?? ''))
      throw wrongTo({ en: 'a number such as +35699123456', de: 'eine Nummer wie +35699123456' });
    if (channel === 'webhook' && URL.parse(to ?? '') === null)
      throw wrongTo({
        en: 'a URL such as https://partner.example/hook',
        de: 'eine Adresse wie https://partner.example/hook',
      });
    const inForce = await readChannelSettings(pool, push.vault, brand, channel);
    const whole = settings === undefined ? inForce : given(channel, settings, inForce);
    if (whole === null) throw notSetUp(channel);
    return () => testCall(channel, brand, whole, { to: to ?? '', at });
  }

  function given(channel: CallChannel, settings: Record<string, unknown>, inForce: Parameters<typeof readSettings>[2]) {
    const read = readSettings(channel, settings, inForce);
    if (!read.ok) throw refusedSettings(read.errors);
    return read.settings;
  }

  function emailOf(brand: Brand, settings: Record<string, unknown>) {
    try {
      return changedEmail(brand, settings);
    } catch (error) {
      return refuseChange(error, 'email.');
    }
  }

  async function testKeys(brand: Brand): Promise<Tested> {
    const current = (await listPairs(pool, push.vault, brand)).find(({ replaced_at }) => replaced_at === null);
    if (current === undefined)
      return {
        ok: false,
        outcome: 'failed',
        reason: 'no_keys',
        status: null,
        detail: '',
      };
    if (!current.readable)
      return {
        ok: false,
        outcome: 'failed',
        reason: 'keys_unreadable',
        status: null,
        detail: '',
      };
    return { ok: true, outcome: 'connected', reason: null, status: null, detail: `${current.devices} devices` };
  }
}

function tooMany(seconds: number): Refused {
  const words = {
    en: `Too many tests of this channel in a row. Try again in ${seconds} s.`,
    de: `Zu viele Tests dieses Kanals hintereinander. In ${seconds} s ist der nächste möglich.`,
  };
  return new Refused('too_many_requests', words, { retryAfter: seconds });
}

function notSetUp(channel: string): Refused {
  return new Refused('conflict', {
    en: `the channel ${channel} is not set up`,
    de: `Der Kanal ${channel} ist nicht eingerichtet`,
  });
}

function wrongTo({ en, de }: Words): Refused {
  return refusedField('to', 'form', { en: `to must be ${en}`, de: `to muss ${de} sein` });
}
