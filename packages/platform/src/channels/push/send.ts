import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type WebPush from 'web-push';
import { type Brand, Unreadable, type Vault } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { type ContactRequest, forgetContacts, type Gate } from '../../gate/index.ts';
import { library } from '../../library.ts';
import { done, lost, nullIfNotSent, type Outcome, type SendCheck, type Started } from '../../outgoing/index.ts';
import { aboutOf } from '../products.ts';
import type { DropReason } from './delivery.ts';
import {
  beginCall,
  type Delivery,
  type DeliveryClaim,
  type DeliveryStep,
  deliveryQueue,
  stepDelivery,
} from './delivery-store.ts';
import { type Device, isPrivateOrigin } from './device.ts';
import { judgeAnswer, type PushOutcome, pushLadder } from './judge-answer.ts';
import { type AnnouncedMessage, readMessage, whyOver } from './message-store.ts';
import { payloadOf } from './payload.ts';
import { dropDevices, readSubscription } from './subscription-store.ts';
import type { PushTokens } from './tokens.ts';
import type { PushRequest, PushResult, PushTransport } from './transport.ts';
import { contactOf, openPair, type VapidKeys } from './vapid.ts';

/*
 * One push to one device, in the three parts of a call (outgoing/call.ts). Begin asks the gate, and checks that the message is
 * still visible. Right before the call, both are checked again. If the process dies between begin and finish, the call
 * counts as lost when its time is over, and the delivery is unknown: it is not sent again (delivery.ts).
 */

/**
 * A call counts as lost this long after its own timeout. Until then, its outcome can still be written, even if the process was
 * frozen for a moment.
 */
const lostAfterMs = 15_000;
/** How often a push is checked again while the campaign of its message is paused. */
const whilePausedMs = 30_000;
/** A push with the same tag replaces an earlier one of the message, at the push service and on the device. */
const topicOf = (messageId: number) => `crm-${messageId}`;

const webPush = library<typeof WebPush>('web-push');

export interface SendDeps {
  pool: Pool;
  vault: Vault;
  gate: Pick<Gate, 'mayContact' | 'stillAllows'>;
  tokens: PushTokens;
  transport: PushTransport;
  clock: Clock;
  /** The public address of the installation, without a trailing slash. */
  publicUrl: string;
  random: () => number;
}

export interface OpenPush {
  claim: DeliveryClaim;
  delivery: Delivery;
  contact: ContactRequest;
  request: PushRequest;
}

export async function beginPush(
  claim: DeliveryClaim,
  brand: Brand,
  deps: SendDeps,
): Promise<Started<OpenPush> | Outcome> {
  return transaction(deps.pool, async (tx): Promise<Started<OpenPush> | Outcome> => {
    const delivery = await deliveryQueue.lock(tx, claim);
    if (delivery === null) return lost;
    const at = deps.clock();
    const step = async (next: DeliveryStep) => {
      await stepDelivery(tx, claim, next, at);
      return outcomeOf(next, 'snooze');
    };
    const give = async (reason: DropReason) => {
      await forgetContacts(tx, [causeOf(delivery)]);
      return step(ended('dropped', reason));
    };

    if (!brand.settings.push.enabled) return give('push_off');
    if (delivery.expires_at <= at) return give('expired');
    const subscription = await readSubscription(tx, delivery.subscription_id);
    if (subscription === null) return give('unsubscribed');
    if (subscription.player_id !== delivery.player_id) return give('moved');
    if (subscription.is_revoked) return give('key_revoked');
    const message = await readMessage(tx, delivery.message_id);
    const over = whyOver(message, at);
    if (message === null || over !== null) return give(over ?? 'deleted');
    const { public_key, key_sealed } = subscription;
    const keys = openPair(deps.vault, brand, { public_key, sealed: key_sealed });
    const device = deviceOf(deps.vault, brand, subscription.sealed);
    if (keys === null || device === null) return step(ended('failed', 'keys_unreadable'));

    const contact = contactBy(delivery, message);
    const [decision] = await deps.gate.mayContact(tx, [contact]);
    if (decision === undefined) throw new Error('the gate returned no decision');
    if (decision.outcome === 'withheld') return step(ended('dropped', decision.reason));
    if (decision.outcome === 'held')
      return step({ ...ended('waiting', decision.reason), in_ms: decision.ask_again_ms });

    if (message.hold !== null) return step({ ...ended('waiting', message.hold), in_ms: whilePausedMs });

    await beginCall(tx, delivery, deps.transport.callTimeoutMs + lostAfterMs, at);
    const request = requestOf({ delivery, message, device, keys, brand, at }, deps);
    return { outcome: 'started', open: { claim, delivery, contact, request } };
  });
}

function ended(state: DeliveryStep['state'], reason: string | null): DeliveryStep {
  return { state, reason, status: null, detail: null, in_ms: null };
}

function deviceOf(vault: Vault, brand: Brand, sealed: Buffer): Device | null {
  try {
    return vault.open(brand.code, sealed) as Device;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function contactBy(delivery: Delivery, message: AnnouncedMessage): ContactRequest {
  const { brand_id, player_id, expires_at } = delivery;
  const { purpose, channel, keepsQuietHours } = message;
  const about = aboutOf(channel, message);
  return {
    brand_id,
    player_id,
    channel: 'push',
    purpose,
    cause: causeOf(delivery),
    expires_at,
    keepsQuietHours,
    ...about,
  };
}

/** The cause of the message, so that its decisions are listed together. */
function causeOf({ message_id }: Delivery) {
  return { kind: 'message', id: String(message_id) } as const;
}

/** Encrypted for the device (RFC 8291) and signed for the push service (RFC 8292). */
function requestOf(
  push: { delivery: Delivery; message: AnnouncedMessage; device: Device; keys: VapidKeys; brand: Brand; at: Micros },
  { tokens, publicUrl }: Pick<SendDeps, 'tokens' | 'publicUrl'>,
): PushRequest {
  const { delivery, message, device, keys, brand, at } = push;
  const { brand_id, delivery_id, message_id, expires_at } = delivery;
  const { display_name, logo_url } = brand.settings;
  const sender = { name: display_name || brand.name, logo_url, base: `${publicUrl}/site/${brand.code}` };
  const payload = payloadOf(message, sender, tokens.write('click', brand_id, delivery_id));
  const { headers, body, endpoint } = webPush().generateRequestDetails(
    { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
    payload,
    {
      TTL: Math.floor((expires_at - at) / 1_000_000),
      topic: topicOf(message_id),
      urgency: 'normal',
      contentEncoding: 'aes128gcm',
      vapidDetails: {
        subject: contactOf(brand.settings, publicUrl),
        publicKey: keys.public_key,
        privateKey: keys.private_key,
      },
    },
  );
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const url = URL.parse(endpoint);
  const mayBePrivate = url !== null && isPrivateOrigin(url, brand.settings.push.private_origins);
  return { endpoint, headers: named, body, mayBePrivate };
}

/**
 * The last check before the call: the gate, the device, and the message. While the push waits for a connection, the device may be gone, the
 * message may be read or withdrawn, or its campaign paused or stopped.
 */
export async function isStillAllowed(
  { contact, delivery }: OpenPush,
  { pool, gate, clock }: Pick<SendDeps, 'pool' | 'gate' | 'clock'>,
): Promise<boolean> {
  if (!(await gate.stillAllows(pool, contact))) return false;
  const subscription = await readSubscription(pool, delivery.subscription_id);
  if (subscription?.player_id !== delivery.player_id || subscription.is_revoked) return false;
  const message = await readMessage(pool, delivery.message_id);
  return message !== null && message.hold === null && whyOver(message, clock()) === null;
}

/** Makes the call. Never throws for an error of the push service. @returns null if it was not allowed to be sent */
export function sendPush(
  open: OpenPush,
  { transport }: Pick<SendDeps, 'transport'>,
  sendCheck: SendCheck,
): Promise<PushResult | null> {
  return nullIfNotSent(transport.post({ ...open.request, sendCheck }));
}

/** Writes the outcome of a call. Safe to repeat. @param result null if the call was not made */
export async function finishPush(
  open: OpenPush,
  result: PushResult | null,
  deps: Pick<SendDeps, 'pool' | 'clock' | 'random'>,
): Promise<Outcome> {
  const { claim, delivery } = open;
  const judged = result === null ? null : judgeAnswer(result);
  return transaction(deps.pool, async (tx) => {
    const at = deps.clock();
    // Devices are locked before deliveries.
    if (judged?.outcome === 'gone')
      await dropDevices(tx, { by: 'number', subscription_ids: [delivery.subscription_id] }, 'gone', at);
    const said = result?.answered
      ? { status: result.status, detail: result.detail }
      : { status: null, detail: result?.detail ?? null };
    const step = { ...said, ...stepAfter(judged, delivery, at, deps.random()) };
    return (await stepDelivery(tx, claim, step, at)) ? outcomeOf(step, 'retry') : lost;
  });
}

/** @param waits why the push waits: `retry` if a call was tried, `snooze` if the gate holds the push */
function outcomeOf({ state, reason, in_ms }: DeliveryStep, waits: 'retry' | 'snooze'): Outcome {
  if (state === 'sent') return done;
  if (state === 'waiting') return { outcome: waits, reason: reason ?? state, in_ms: in_ms ?? 0 };
  return { outcome: 'give_up', reason: reason ?? state };
}

function stepAfter(
  outcome: PushOutcome | null,
  delivery: Pick<Delivery, 'reason' | 'tries' | 'expires_at'>,
  at: Micros,
  random: number,
): Pick<DeliveryStep, 'state' | 'reason' | 'in_ms' | 'tries'> {
  if (outcome === null) return { state: 'waiting', reason: 'not_sent', in_ms: 0 };
  switch (outcome.outcome) {
    case 'sent':
      return { state: 'sent', reason: null, in_ms: null };
    case 'gone':
      return { state: 'failed', reason: 'gone', in_ms: null };
    case 'failed':
    case 'unknown':
      return { state: outcome.outcome, reason: outcome.reason, in_ms: null };
    case 'retry': {
      const { reason, retry_after_ms } = outcome;
      const tries = pushLadder.triesAfter(delivery, reason);
      const in_ms = pushLadder.delayMs(reason, tries, { random, retry_after_ms });
      // Keep the last answer as the reason, because it is more useful than "expired".
      if (at + in_ms * 1_000 >= delivery.expires_at) return { state: 'failed', reason, in_ms: null };
      return { state: 'waiting', reason, in_ms, tries };
    }
    default:
      return outcome satisfies never;
  }
}
