import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { judgeCall } from '../calls/judge.ts';
import type { CallChannel } from '../calls/message.ts';
import { httpSmsCall } from '../calls/providers/http-sms.ts';
import type { CallSubject, ProviderCall } from '../calls/providers/provider.ts';
import { twilioCall } from '../calls/providers/twilio.ts';
import { operatorCall, webhookCall } from '../calls/providers/webhook.ts';
import { sendCall } from '../calls/send.ts';
import { callTransport } from '../calls/transport.ts';
import type { ChannelSettings, HttpSmsSettings } from '../settings/settings.ts';
import type { Tested } from './tested.ts';

/** Used in place of a message_id. No message has this id. */
const noMessage = 0;

type TestedBrand = Pick<Brand, 'code' | 'name' | 'settings'>;

/**
 * Calls a provider once, with a text that says that it is a test. It does not ask the gate: an SMS goes to a number of the staff,
 * and calls of other channels contain no player.
 *
 * @param to the number (E.164) for an SMS, the address for a webhook. The operator's channel uses the address in its settings
 */
export async function testCall<C extends CallChannel>(
  channel: C,
  brand: TestedBrand,
  settings: ChannelSettings[C],
  { to, at }: { to: string; at: Micros },
): Promise<Tested> {
  let call: ProviderCall;
  try {
    call = callOf(channel, brand, settings, to, at);
  } catch (error) {
    return { ok: false, outcome: 'failed', reason: 'not_built', status: null, detail: (error as Error).message };
  }
  const transport = callTransport();
  try {
    const result = await sendCall({ call, settings }, { transport });
    const outcome = judgeCall(result, call);
    return {
      ok: outcome.outcome === 'sent',
      outcome: outcome.outcome,
      reason: 'reason' in outcome ? outcome.reason : null,
      status: result.answered ? result.status : null,
      detail: result.detail,
    };
  } finally {
    await transport.destroy();
  }
}

function callOf<C extends CallChannel>(
  channel: C,
  brand: TestedBrand,
  settings: ChannelSettings[C],
  to: string,
  at: Micros,
): ProviderCall {
  const name = brand.settings.display_name || brand.name;
  const words = `Test of ${name}: this channel works.`;
  const subject: CallSubject = { message_id: noMessage, brand, user_id: '', purpose: 'service', campaign_id: null, at };
  switch (channel) {
    case 'sms': {
      const sms = settings as ChannelSettings['sms'];
      // Without a callback for reports, because there is no message that a report could refer to.
      if (sms.provider === 'twilio') return twilioCall(sms, { to, text: words, report_url: '' });
      const sent = { to, text: words, message_id: noMessage, parts: 1, brand: brand.code };
      return httpSmsCall(sms as HttpSmsSettings, sent);
    }
    case 'webhook': {
      const body = JSON.stringify({ test: true, brand: brand.code, text: words });
      return webhookCall(settings as ChannelSettings['webhook'], { url: to, body }, subject);
    }
    case 'operator': {
      const content = { title: 'Test', text: words, data: JSON.stringify({ test: true }) };
      return operatorCall(settings as ChannelSettings['operator'], content, subject);
    }
    default:
      return channel satisfies never;
  }
}
