import type { FieldError, Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Gate } from '../../gate/index.ts';
import type { MadeMessage } from '../channel.ts';
import { decideContacts } from '../decide.ts';
import { messageLife } from '../message-life.ts';
import { MessageKeyReused } from '../notifications/create.ts';
import { takeMessageIds } from '../notifications/notification-store.ts';
import { UnfitNotification } from '../notifications/unfit.ts';
import { requestDigest } from '../request-digest.ts';
import { checkEmail } from '../templates/index.ts';
import type { NewEmail } from './message.ts';
import { type DecidedEmail, insertEmails, type KnownEmail, readRequested } from './store.ts';

/**
 * Creates e-mails in the caller's transaction: checks them, asks the gate, and queues those that it does not withhold. The gate
 * decides again when each is sent.
 *
 * @returns one entry per requested e-mail, in the order of the requests
 * @throws {UnfitNotification} if one cannot be sent as it is; then none of the batch is created
 * @throws {MessageKeyReused}
 */
export async function createEmails(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  items: readonly NewEmail[],
  at: Micros,
): Promise<MadeMessage[]> {
  if (items.length === 0) return [];
  const errors = items.flatMap((item) => emailErrors(item));
  if (errors.length > 0) throw new UnfitNotification(errors);
  const ids = await takeMessageIds(
    tx,
    items.map(({ player_id }) => player_id),
  );
  const wanted = items.map((asked, place) => ({ asked, message_id: ids[place] as number }));
  const before = await readRequested(tx, keysOf(items));
  const fresh = wanted.filter(({ asked }) => knownOf(asked, before) === undefined);
  const late = fresh.some(({ asked }) => asked.expires_at !== null && asked.expires_at <= at);
  if (late) throw new UnfitNotification([{ path: 'expires', rule: 'past', message: 'expires must be in the future' }]);
  const decided = await decide(tx, gate, fresh, at);
  const made = await insertEmails(tx, decided, at);
  // Requests whose key occurs twice in this batch, or is being used concurrently by another request.
  const known = [
    ...before,
    ...(await readRequested(
      tx,
      keysOf(fresh.filter(({ message_id }) => !made.has(message_id)).map(({ asked }) => asked)),
    )),
  ];
  const decisionOf = new Map(decided.map((one) => [one.message_id, one]));
  return wanted.map(({ asked, message_id }) => {
    const one = decisionOf.get(message_id);
    if (one === undefined || !made.has(message_id)) return repeated(asked, known);
    const { state, reason, decision_id } = one;
    return { message_id, state, reason, decision_id, repeated: false, signals: [] };
  });
}

async function decide(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  fresh: readonly { asked: NewEmail; message_id: number }[],
  at: Micros,
): Promise<DecidedEmail[]> {
  const channel = 'email' as const;
  const contacts = fresh.map(({ asked: { brand_id, player_id, purpose, expires_at, allowed_by }, message_id }) => {
    const cause = { kind: 'message' as const, id: String(message_id) };
    const request = { brand_id, player_id, purpose, channel, cause, expires_at: expires_at ?? at + messageLife };
    return { request, message: { channel, allowed_by } };
  });
  const decisions = await decideContacts(tx, gate, contacts);
  return fresh.map(({ asked, message_id }, place): DecidedEmail => {
    const decision = decisions[place];
    if (decision === undefined) throw new Error('the gate returned no decision');
    const request_digest = asked.request_key === null ? null : requestDigest(asked);
    const one = { message_id, asked, request_digest, expires_at: asked.expires_at ?? at + messageLife };
    const { decision_id } = decision;
    switch (decision.outcome) {
      case 'allowed':
        return { ...one, decision_id, state: 'waiting', reason: null, in_ms: 0 };
      case 'held':
        return { ...one, decision_id, state: 'waiting', reason: decision.reason, in_ms: decision.ask_again_ms };
      case 'withheld':
        return { ...one, decision_id, state: 'withheld', reason: decision.reason, in_ms: 0 };
      default:
        return decision satisfies never;
    }
  });
}

function emailErrors({ campaign_id, subject, html, text }: NewEmail): FieldError[] {
  const isWhole = campaign_id === null || campaign_id.isWellFormed();
  const ofCampaign = isWhole
    ? []
    : [{ path: 'campaign_id', rule: 'unicode', message: 'campaign_id contains an unpaired surrogate' }];
  return [...ofCampaign, ...checkEmail({ subject, html, text })];
}

function keysOf(items: readonly NewEmail[]) {
  return items.flatMap(({ player_id, request_key }) => (request_key === null ? [] : [{ player_id, request_key }]));
}

function knownOf({ player_id, request_key }: NewEmail, known: readonly KnownEmail[]): KnownEmail | undefined {
  return known.find((one) => one.player_id === player_id && one.request_key === request_key);
}

function repeated(asked: NewEmail, known: readonly KnownEmail[]): MadeMessage {
  const before = knownOf(asked, known);
  if (before === undefined) throw new Error('an e-mail was not stored');
  const { message_id, state, reason, decision_id, request_digest } = before;
  if (request_digest !== requestDigest(asked)) throw new MessageKeyReused(message_id);
  return { message_id, state, reason, decision_id, repeated: true, signals: [] };
}
