import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { type ContactRequest, forgetContacts, type Gate } from '../../gate/index.ts';
import { storableDetail } from '../../operator/calling/index.ts';
import { changeConsents, UnknownPlayer } from '../../operator/writeback/index.ts';
import { done, lost, type Outcome, type SendCheck, type Started } from '../../outgoing/index.ts';
import { isRecalled } from '../email/store.ts';
import { endsMessage } from '../message-hold.ts';
import type { MessageTokens } from '../message-tokens.ts';
import { aboutOf } from '../products.ts';
import type { PushTransport } from '../push/transport.ts';
import { expiryReason } from '../rate-shortage.ts';
import { type OwnReport, storeReport } from '../reports/store-report.ts';
import type { AnySettings, ChannelSettings, HttpSmsSettings } from '../settings/settings.ts';
import { readChannelSettings } from '../settings/store.ts';
import { findSuppression, suppress } from '../suppression-store.ts';
import { contactOf } from './create.ts';
import { type CallOutcome, type CallResult, callLadder, judgeCall } from './judge.ts';
import type { CallDropReason, OperatorContent, WebhookContent } from './message.ts';
import { storedProviderId } from './provider-id.ts';
import { httpSmsCall } from './providers/http-sms.ts';
import type { CallSubject, ProviderCall } from './providers/provider.ts';
import { twilioCall } from './providers/twilio.ts';
import { operatorCall, webhookCall } from './providers/webhook.ts';
import { mobileNumber } from './sms/number.ts';
import { countParts } from './sms/parts.ts';
import { sentSms } from './sms/sent-text.ts';
import {
  beginCall,
  type CallClaim,
  type CallStep,
  callQueue,
  type Reachable,
  readReachable,
  stepCall,
  type WaitingCall,
} from './store.ts';

/*
 * One message, in the three parts of a call (outgoing/call.ts). Begin reads the settings and the player's number and asks the
 * gate. Right before the call, the gate decides again. If the process dies between begin and finish, the call counts as
 * lost when its time is over. It is repeated if its receiver recognizes a message by its id; otherwise it is unknown
 * (docs/decisions/1270). If a repetition is no longer wanted or allowed, the message is unknown, too: the first call may have
 * arrived.
 */

/** A call counts as lost this long after its own timeout. */
const lostAfterMs = 15_000;
/** How often a channel that is not set up, or switched off, is checked again. */
const notSetUpMs = 60_000;

export interface SendCallDeps {
  pool: Pool;
  vault: Pick<Vault, 'open' | 'addressKey'>;
  gate: Pick<Gate, 'mayContact' | 'stillAllows'>;
  transport: Pick<PushTransport, 'post'>;
  tokens: Pick<MessageTokens, 'write' | 'writeCode'>;
  /** The public address of the installation: providers report to it, and tracked links begin with it. */
  publicUrl: string;
  clock: Clock;
  random: () => number;
  /** The time since which more messages are due than the provider's rate allows. Null if there is no such shortage. */
  shortSince(of: Pick<CallClaim, 'brand_id' | 'channel' | 'target'>, at: Micros): Micros | null;
}

export interface OpenCall {
  claim: CallClaim;
  message: WaitingCall;
  contact: ContactRequest;
  settings: AnySettings;
  call: ProviderCall;
  /** Values of the call that identify the player, which are removed from the stored answer. */
  personal: string[];
  /** The key of the number in the suppression list; null if it is not an SMS. */
  listed: { brand_id: number; address_key: Buffer } | null;
}

export async function beginMessage(
  claim: CallClaim,
  brand: Brand,
  deps: SendCallDeps,
): Promise<Started<OpenCall> | Outcome> {
  return transaction(deps.pool, async (tx): Promise<Started<OpenCall> | Outcome> => {
    const message = await callQueue.lock(tx, claim);
    if (message === null) return lost;
    const at = deps.clock();
    const step = async (next: CallStep) => {
      await stepCall(tx, claim, next, at);
      return outcomeOf(next, 'snooze');
    };
    const give = async (reason: CallDropReason) => {
      await forgetContacts(tx, [{ kind: 'message', id: String(message.message_id) }]);
      return step({ state: 'dropped', reason });
    };

    if (message.expires_at <= at) return give(expiryReason(message, deps.shortSince(message, at)));
    if (endsMessage(message.hold)) return give(message.hold);
    if (await isRecalled(tx, message)) return give('campaign_recalled');
    const settings = await readChannelSettings(tx, deps.vault, brand, message.channel);
    if (settings === null || !settings.enabled)
      return step({ state: 'waiting', reason: 'not_set_up', in_ms: notSetUpMs });
    const player = (await readReachable(tx, [message.player_id])).get(message.player_id);
    if (player === undefined) return give('erased');
    const number = mobileNumber(player.mobile_prefix, player.mobile);
    if (message.channel === 'sms' && 'problem' in number) return give(number.problem);
    const listed =
      message.channel === 'sms' && 'e164' in number
        ? { brand_id: message.brand_id, address_key: deps.vault.addressKey(message.brand_id, number.e164) }
        : null;
    const isSuppressed = listed !== null && (await findSuppression(tx, listed)) !== null;

    const contact = {
      ...contactOf(message, message.channel, 'consent' in settings ? settings.consent : undefined),
      ...aboutOf(message.channel, message),
      keepsQuietHours: message.keepsQuietHours,
      isSuppressed,
    };
    const [decision] = await deps.gate.mayContact(tx, [contact]);
    if (decision === undefined) throw new Error('the gate returned no decision');
    const { decision_id } = decision;
    if (decision.outcome === 'withheld') return step({ state: 'dropped', reason: decision.reason, decision_id });
    if (decision.outcome === 'held')
      return step({ state: 'waiting', reason: decision.reason, decision_id, in_ms: decision.ask_again_ms });

    // This check follows the gate, because the gate ends messages to a player who is now protected, even during a pause. A message
    // on hold waits until its expiry; a resume makes it due earlier.
    if (message.hold !== null)
      return step({
        state: 'waiting',
        reason: message.hold,
        in_ms: Math.ceil((message.expires_at - at) / 1_000),
      });

    const to = 'e164' in number ? number.e164 : '';
    const sent = asSent(message, brand, player, deps);
    const call = built(sent, brand, settings, { ...player, to }, at, deps);
    if (call === null)
      return step({
        state: 'waiting',
        reason: 'not_built',
        in_ms: callLadder.delayMs('not_built', 4, { random: deps.random() }),
      });
    const life = {
      lostAfterMs: callMsOf(settings) + lostAfterMs,
      repeatable: call.repeatable,
      address_key: listed?.address_key ?? null,
    };
    await beginCall(tx, sent, life, at);
    const personal = [to, to.slice(1)].filter((text) => text !== '');
    return { outcome: 'started', open: { claim, message, contact, settings, call, personal, listed } };
  });
}

export function callMsOf({ call_timeout_ms }: AnySettings): number {
  return call_timeout_ms;
}

/** The message with the text that its receiver gets. The stored message keeps its original links. */
function asSent(
  message: WaitingCall,
  { settings }: Brand,
  player: Reachable,
  { tokens, publicUrl }: Pick<SendCallDeps, 'tokens' | 'publicUrl'>,
): WaitingCall {
  if (message.channel !== 'sms') return message;
  const { message_id, content } = message;
  const code = (place: number) => tokens.writeCode({ message_id, place });
  const text = sentSms(content.text ?? '', { settings, publicUrl, player, code });
  return { ...message, content: { ...content, text }, parts: countParts(text).parts };
}

/** @returns null if the body of the settings cannot be rendered, so that there is no call to make */
function built(
  { message_id, channel, content, parts, purpose, campaign_id }: WaitingCall,
  brand: Brand,
  settings: AnySettings,
  { user_id, to }: Reachable & { to: string },
  at: Micros,
  { tokens, publicUrl }: Pick<SendCallDeps, 'tokens' | 'publicUrl'>,
): ProviderCall | null {
  const subject: CallSubject = { message_id, brand, user_id, purpose, campaign_id, at };
  try {
    switch (channel) {
      case 'sms': {
        const sms = settings as ChannelSettings['sms'];
        const text = content.text ?? '';
        if (sms.provider === 'twilio') {
          const token = tokens.write('report', { brand_id: brand.brand_id, message_id });
          const report_url = `${publicUrl.replace(/\/+$/, '')}/channels/${brand.code}/sms/twilio?message=${token}`;
          return twilioCall(sms, { to, text, report_url });
        }
        return httpSmsCall(sms as HttpSmsSettings, { to, text, message_id, parts: parts ?? 1, brand: brand.code });
      }
      case 'webhook':
        return webhookCall(
          settings as ChannelSettings['webhook'],
          content as unknown as Pick<WebhookContent, 'url' | 'body'>,
          subject,
        );
      case 'operator':
        return operatorCall(
          settings as ChannelSettings['operator'],
          content as unknown as Pick<OperatorContent, 'title' | 'text' | 'data'>,
          subject,
        );
      default:
        return channel satisfies never;
    }
  } catch {
    return null;
  }
}

/** The last check before the call: the gate, and the suppression list. */
export async function isStillAllowed({ contact, listed }: OpenCall, { pool, gate }: SendCallDeps): Promise<boolean> {
  if (listed !== null && (await findSuppression(pool, listed)) !== null) return false;
  return gate.stillAllows(pool, contact);
}

/**
 * Makes the call. Never throws for an error of the provider.
 *
 * @param sendCheck omitted by a test of a provider, which contacts no player
 * @throws {SendNotAllowed} if the last check did not allow the call, so that nothing was sent
 */
export async function sendCall(
  { call, settings, claim }: Pick<OpenCall, 'call' | 'settings'> & { claim?: Pick<CallClaim, 'brand_id' | 'channel'> },
  { transport }: Pick<SendCallDeps, 'transport'>,
  sendCheck?: SendCheck,
): Promise<CallResult> {
  const { url, headers, body, mayBePrivate } = call;
  if (!mayBePrivate && !url.startsWith('https:'))
    return {
      answered: false,
      failure: 'private_address',
      detail: 'only https addresses are allowed; see webhook_allowed',
    };
  const callTimeoutMs = callMsOf(settings);
  // Brands often use the same provider. A slow account of one brand must not take the connections of another.
  const pool = {
    name: claim === undefined ? 'test' : `${claim.brand_id} ${claim.channel}`,
    connections: settings.max_connections,
  };
  const request = { endpoint: url, headers, body: Buffer.from(body), mayBePrivate, callTimeoutMs, pool };
  return transport.post(sendCheck === undefined ? request : { ...request, sendCheck });
}

/** Writes the outcome of a call. Safe to repeat. @param result null if the call was not made */
export async function finishCall(
  open: OpenCall,
  result: CallResult | null,
  { pool, clock, random }: Pick<SendCallDeps, 'pool' | 'clock' | 'random'>,
): Promise<Outcome> {
  const { claim, message, call, personal, listed } = open;
  const judged = result === null ? null : judgeCall(result, call);
  const at = clock();
  // The opt-out is stored first, in its own transaction, because it must count even if the outcome is never written.
  if (judged?.outcome === 'failed' && judged.reason === 'opted_out') await withdrawSms(pool, message, at);
  if (judged?.outcome === 'failed' && judged.reason === 'no_such_number' && listed !== null) {
    const detail = result === null ? null : detailOf(result, personal);
    await suppress(pool, listed, { reason: 'bounced', detail, added_at: at, added_by: null });
  }
  return transaction(pool, async (tx) => {
    const said =
      result === null ? {} : { status: result.answered ? result.status : null, detail: detailOf(result, personal) };
    const step: CallStep = { ...said, ...stepAfter(judged, message, at, random()) };
    if (!(await stepCall(tx, claim, step, at))) return lost;
    const what = judged?.outcome === 'failed' ? reported[judged.reason] : undefined;
    if (what !== undefined) {
      const { brand_id, player_id, message_id, campaign_id, channel } = message;
      const report = { brand_id, player_id, message_id, campaign_id, channel, detail: step.detail ?? null };
      await storeReport(tx, { ...report, provider: 'provider', ...what }, at);
    }
    return outcomeOf(step, 'retry');
  });
}

/** Refusals that concern the player become events. All others concern the platform or its settings. */
const reported: Readonly<Record<string, Pick<OwnReport, 'what' | 'reason'>>> = {
  no_such_number: { what: 'bounced', reason: 'hard' },
  opted_out: { what: 'unsubscribed' },
};

/** The provider knows that the player opted out, by a reply such as STOP. The consent is withdrawn in the platform and at the operator. */
async function withdrawSms(
  pool: Pool,
  { brand_id, player_id }: Pick<WaitingCall, 'brand_id' | 'player_id'>,
  at: Micros,
): Promise<void> {
  const changes = [{ type: 'SMS', opted_in: false }] as const;
  const note = 'the provider refuses SMS: the recipient opted out';
  await transaction(pool, (tx) =>
    changeConsents(tx, { brand_id, player_id, changes, source: 'unsubscribe', note, at }),
  ).catch((error: unknown) => {
    if (!(error instanceof UnknownPlayer)) throw error;
  });
}

/** Providers repeat the number in their answers. It is removed, and the rest of the text is stored. */
function detailOf({ detail }: CallResult, personal: readonly string[]): string {
  return storableDetail(personal.reduce((text, name) => text.replaceAll(name, '(number)'), detail));
}

/** @param waits `retry` after a call; `snooze` if no call was started, for example because the gate holds the message */
function outcomeOf({ state, reason, in_ms }: CallStep, waits: 'retry' | 'snooze'): Outcome {
  if (state === 'sent') return done;
  if (state === 'waiting') return { outcome: waits, reason: reason ?? state, in_ms: in_ms ?? 0 };
  return { outcome: 'give_up', reason: reason ?? state };
}

function stepAfter(
  outcome: CallOutcome | null,
  message: Pick<WaitingCall, 'reason' | 'tries' | 'unclear' | 'expires_at'>,
  at: Micros,
  random: number,
): CallStep {
  if (outcome === null) return { state: 'waiting', reason: 'not_sent', in_ms: 0 };
  switch (outcome.outcome) {
    case 'sent':
      return {
        state: 'sent',
        reason: null,
        provider_id: outcome.provider_id === null ? null : storedProviderId(outcome.provider_id),
      };
    case 'failed':
    case 'unknown':
      return { state: outcome.outcome, reason: outcome.reason };
    case 'retry': {
      const { reason, retry_after_ms } = outcome;
      const tries = callLadder.triesAfter(message, reason);
      const in_ms = callLadder.delayMs(reason, tries, { random, retry_after_ms });
      const isUnclear = reason === 'timeout' || reason === 'cut' || reason === 'server_error';
      const unclear = isUnclear ? reason : message.unclear;
      // The message is retried until it expires. If a call may have arrived, the outcome is unknown even then.
      if (at + in_ms * 1_000 >= message.expires_at)
        return unclear === null ? { state: 'failed', reason } : { state: 'unknown', reason: unclear };
      return { state: 'waiting', reason, in_ms, tries, unclear };
    }
    default:
      return outcome satisfies never;
  }
}
