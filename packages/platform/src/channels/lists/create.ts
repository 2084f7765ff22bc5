import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { forgetContacts, type Gate } from '../../gate/index.ts';
import type { MadeMessage, RecalledMessage, RecallOrder, Unsent, UnsentEnding } from '../channel.ts';
import { decideContacts } from '../decide.ts';
import { MessageKeyReused } from '../notifications/create.ts';
import { takeMessageIds } from '../notifications/notification-store.ts';
import { UnfitNotification } from '../notifications/unfit.ts';
import { requestDigest } from '../request-digest.ts';
import { readUnsent } from '../unsent.ts';
import { composeEntry, entryLife, type ListChannel } from './entry.ts';
import {
  type DecidedEntry,
  dropEntries,
  insertEntries,
  type KnownEntry,
  lockEntry,
  type NewEntry,
  readRequestedEntries,
} from './store.ts';

/**
 * Puts players on lists, in the caller's transaction. The gate decides now and again at each export.
 *
 * @returns one entry per requested player, in the order of the requests
 * @throws {UnfitNotification} if one cannot be added as it is; then none of the batch is added
 * @throws {MessageKeyReused}
 */
export async function createEntries(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  channel: ListChannel,
  given: readonly NewEntry[],
  at: Micros,
): Promise<MadeMessage[]> {
  if (given.length === 0) return [];
  const cleaned = given.map(composeEntry);
  const errors = cleaned.flatMap((one) => one.errors);
  if (errors.length > 0) throw new UnfitNotification(errors);
  const items = cleaned.map(({ content }) => content);
  const ids = await takeMessageIds(
    tx,
    items.map(({ player_id }) => player_id),
  );
  const wanted = items.map((asked, place) => ({ asked, message_id: ids[place] as number }));
  const before = await readRequestedEntries(tx, channel, keysOf(items));
  const fresh = wanted.filter(({ asked }) => knownOf(asked, before) === undefined);
  if (fresh.some(({ asked }) => asked.expires_at !== null && asked.expires_at <= at))
    throw new UnfitNotification([{ path: 'expires', rule: 'past', message: 'expires must be in the future' }]);
  const decided = await decide(tx, gate, channel, fresh, at);
  const made = await insertEntries(tx, decided, at);
  const others = fresh.filter(({ message_id }) => !made.has(message_id)).map(({ asked }) => asked);
  const known = [...before, ...(await readRequestedEntries(tx, channel, keysOf(others)))];
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
  channel: ListChannel,
  fresh: readonly { asked: NewEntry; message_id: number }[],
  at: Micros,
): Promise<DecidedEntry[]> {
  const contacts = fresh.map(({ asked: { brand_id, player_id, purpose, expires_at, allowed_by }, message_id }) => {
    const cause = { kind: 'message' as const, id: String(message_id) };
    const request = { brand_id, player_id, purpose, channel, cause, expires_at: expires_at ?? at + entryLife };
    return { request, message: { channel, allowed_by } };
  });
  const decisions = await decideContacts(tx, gate, contacts);
  return fresh.map(({ asked, message_id }, place): DecidedEntry => {
    const decision = decisions[place];
    if (decision === undefined) throw new Error('the gate returned no decision');
    const isWithheld = decision.outcome === 'withheld';
    return {
      message_id,
      asked,
      channel,
      request_digest: asked.request_key === null ? null : requestDigest(asked),
      expires_at: asked.expires_at ?? at + entryLife,
      state: isWithheld ? 'withheld' : 'waiting',
      reason: decision.outcome === 'allowed' ? null : decision.reason,
      decision_id: decision.decision_id,
    };
  });
}

export async function recallEntry(
  tx: PoolClient,
  channel: ListChannel,
  order: RecallOrder,
  at: Micros,
): Promise<RecalledMessage | null> {
  const entry = await lockEntry(tx, order.brand_id, order.message_id);
  if (entry?.channel !== channel) return null;
  const why = { reason: 'recalled', by: order.by };
  const dropped = await dropAndForget(tx, channel, { message_ids: [order.message_id] }, why, at);
  return dropped > 0
    ? { state: 'dropped', recalled: true, signals: [] }
    : { state: entry.state, recalled: false, signals: [] };
}

/** Drops those of these entries that were never exported. */
export async function endUnsentEntries(
  tx: PoolClient,
  channel: ListChannel,
  messageIds: readonly number[],
  ending: UnsentEnding,
  at: Micros,
): Promise<Unsent> {
  await dropAndForget(tx, channel, { never_exported: messageIds }, ending, at);
  return readUnsent(tx, 'list_entry', messageIds, ending);
}

/** @returns how many were open */
export async function dropAndForget(
  tx: PoolClient,
  channel: ListChannel,
  which: Parameters<typeof dropEntries>[2],
  why: { reason: string; by: string | null },
  at: Micros,
): Promise<number> {
  const dropped = await dropEntries(tx, channel, which, why, at);
  await forgetContacts(
    tx,
    dropped.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
  );
  return dropped.length;
}

function keysOf(items: readonly NewEntry[]) {
  return items.flatMap(({ player_id, request_key }) => (request_key === null ? [] : [{ player_id, request_key }]));
}

function knownOf({ player_id, request_key }: NewEntry, known: readonly KnownEntry[]): KnownEntry | undefined {
  return known.find((one) => one.player_id === player_id && one.request_key === request_key);
}

function repeated(asked: NewEntry, known: readonly KnownEntry[]): MadeMessage {
  const before = knownOf(asked, known);
  if (before === undefined) throw new Error('an entry was not stored');
  const { message_id, state, reason, decision_id, request_digest } = before;
  if (request_digest !== requestDigest(asked)) throw new MessageKeyReused(message_id);
  return { message_id, state, reason, decision_id, repeated: true, signals: [] };
}
