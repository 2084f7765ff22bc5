import type { ConsentType, FieldError, Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Channel, ContactRequest, Gate } from '../../gate/index.ts';
import type { MadeMessage } from '../channel.ts';
import { decideContacts } from '../decide.ts';
import { messageLife } from '../message-life.ts';
import { MessageKeyReused } from '../notifications/create.ts';
import { takeMessageIds } from '../notifications/notification-store.ts';
import { UnfitNotification } from '../notifications/unfit.ts';
import { requestDigest } from '../request-digest.ts';
import { readConsent } from './consent-store.ts';
import { composeCall, targetOf } from './content.ts';
import type { CallChannel, NewCall } from './message.ts';
import { mobileNumber } from './sms/number.ts';
import { countParts } from './sms/parts.ts';
import {
  type DecidedCall,
  insertCalls,
  type KnownCall,
  type Reachable,
  readReachable,
  readRequestedCalls,
} from './store.ts';

/**
 * Creates messages in the caller's transaction: checks them, asks the gate, and queues those that it does not withhold. The gate
 * decides again when each is sent.
 *
 * @returns one entry per requested message, in the order of the requests
 * @throws {UnfitNotification} if one cannot be sent as it is; then none of the batch is created
 * @throws {MessageKeyReused}
 */
export async function createCalls(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  channel: CallChannel,
  given: readonly NewCall[],
  at: Micros,
): Promise<MadeMessage[]> {
  if (given.length === 0) return [];
  const cleaned = given.map((one) => composed(channel, one));
  const errors = cleaned.flatMap(({ errors }) => errors);
  if (errors.length > 0) throw new UnfitNotification(errors);
  const items = cleaned.map(({ content }) => content);
  const ids = await takeMessageIds(
    tx,
    items.map(({ player_id }) => player_id),
  );
  const wanted = items.map((asked, place) => ({ asked, message_id: ids[place] as number }));
  const before = await readRequestedCalls(tx, channel, keysOf(items));
  const fresh = wanted.filter(({ asked }) => knownOf(asked, before) === undefined);
  const late = fresh.some(({ asked }) => asked.expires_at !== null && asked.expires_at <= at);
  if (late) throw new UnfitNotification([{ path: 'expires', rule: 'past', message: 'expires must be in the future' }]);
  const decided = await decide(tx, gate, channel, fresh, at);
  const made = await insertCalls(tx, decided, at);
  // Requests whose key occurs twice in this batch, or is being used concurrently by another request.
  const others = fresh.filter(({ message_id }) => !made.has(message_id)).map(({ asked }) => asked);
  const known = [...before, ...(await readRequestedCalls(tx, channel, keysOf(others)))];
  const decisionOf = new Map(decided.map((one) => [one.message_id, one]));
  return wanted.map(({ asked, message_id }) => {
    const one = decisionOf.get(message_id);
    if (one === undefined || !made.has(message_id)) return repeated(asked, known);
    const { state, reason, decision_id } = one;
    return { message_id, state, reason, decision_id, repeated: false, signals: [] };
  });
}

/** Fields that every message has are kept as they are. */
function composed(channel: CallChannel, message: NewCall): { content: NewCall; errors: FieldError[] } {
  const compose = composeCall[channel] as unknown as (content: NewCall) => { content: NewCall; errors: FieldError[] };
  return compose(message);
}

async function decide(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  channel: CallChannel,
  fresh: readonly { asked: NewCall; message_id: number }[],
  at: Micros,
): Promise<DecidedCall[]> {
  if (fresh.length === 0) return [];
  const consents = await readConsent(tx, channel, [...new Set(fresh.map(({ asked }) => asked.brand_id))]);
  const decisions = await decideContacts(
    tx,
    gate,
    fresh.map(({ asked, message_id }) => ({
      request: contactOf(
        { ...asked, message_id, expires_at: asked.expires_at ?? at + messageLife },
        channel,
        consents.get(asked.brand_id),
      ),
      message: { channel, allowed_by: asked.allowed_by },
    })),
  );
  const reachable =
    channel === 'sms'
      ? await readReachable(
          tx,
          fresh.map(({ asked }) => asked.player_id),
        )
      : new Map<number, Reachable>();
  return fresh.map(({ asked, message_id }, place): DecidedCall => {
    const decision = decisions[place];
    if (decision === undefined) throw new Error('the gate returned no decision');
    const one = {
      message_id,
      asked,
      channel,
      target: targetOf(channel, asked),
      parts: channel === 'sms' ? countParts((asked as NewCall<'sms'>).text).parts : null,
      request_digest: asked.request_key === null ? null : requestDigest(asked),
      expires_at: asked.expires_at ?? at + messageLife,
      decision_id: decision.decision_id,
    };
    switch (decision.outcome) {
      case 'allowed': {
        const player = reachable.get(asked.player_id);
        const number = mobileNumber(player?.mobile_prefix ?? null, player?.mobile ?? null);
        if (channel === 'sms' && 'problem' in number)
          return { ...one, state: 'withheld', reason: number.problem, in_ms: 0 };
        return { ...one, state: 'waiting', reason: null, in_ms: 0 };
      }
      case 'held':
        return { ...one, state: 'waiting', reason: decision.reason, in_ms: decision.ask_again_ms };
      case 'withheld':
        return { ...one, state: 'withheld', reason: decision.reason, in_ms: 0 };
      default:
        return decision satisfies never;
    }
  });
}

const channelOfConsent: Readonly<Record<ConsentType, Channel>> = {
  Email: 'email',
  SMS: 'sms',
  Telephone: 'telephone',
  PostMail: 'post_mail',
  SiteNotification: 'site',
  PushNotification: 'push',
};

/** @param consent the consent that the brand requires for this channel, if it requires one */
export function channelOf(channel: CallChannel, consent: string | undefined): Channel {
  return consent === undefined ? channel : (channelOfConsent[consent as ConsentType] ?? channel);
}

/**
 * The request to the gate. If the brand requires the consent of another channel for this one, the request is for that
 * channel.
 */
export function contactOf(
  {
    brand_id,
    player_id,
    purpose,
    message_id,
    expires_at,
  }: { brand_id: number; player_id: number; purpose: 'marketing' | 'service'; message_id: number; expires_at: Micros },
  channel: CallChannel,
  consent: string | undefined,
): ContactRequest {
  return {
    brand_id,
    player_id,
    purpose,
    channel: channelOf(channel, consent),
    cause: { kind: 'message', id: String(message_id) },
    expires_at,
  };
}

function keysOf(items: readonly NewCall[]) {
  return items.flatMap(({ player_id, request_key }) => (request_key === null ? [] : [{ player_id, request_key }]));
}

function knownOf({ player_id, request_key }: NewCall, known: readonly KnownCall[]): KnownCall | undefined {
  return known.find((one) => one.player_id === player_id && one.request_key === request_key);
}

function repeated(asked: NewCall, known: readonly KnownCall[]): MadeMessage {
  const before = knownOf(asked, known);
  if (before === undefined) throw new Error('a message was not stored');
  const { message_id, state, reason, decision_id, request_digest } = before;
  if (request_digest !== requestDigest(asked)) throw new MessageKeyReused(message_id);
  return { message_id, state, reason, decision_id, repeated: true, signals: [] };
}
