import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { forgetContacts } from '../../gate/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import type { RecalledMessage, RecallOrder, Unsent, UnsentEnding } from '../channel.ts';
import { readUnsent } from '../unsent.ts';
import type { CallChannel } from './message.ts';
import { dropWaitingCalls, makeCallsDue, readCallState } from './store.ts';

/** Makes waiting messages due now, so that the gate decides again: a service message may still go to a player who is blocked. */
export async function protectCalls(
  tx: PoolClient,
  channel: CallChannel,
  transitions: readonly ProtectionTransition[],
): Promise<void> {
  const kinds: readonly ProtectionTransition['kind'][] = ['excluded', 'blocked', 'consent_withdrawn'];
  const players = transitions.filter(({ kind }) => kinds.includes(kind)).map(({ player_id }) => player_id);
  await makeCallsDue(tx, channel, [...new Set(players)]);
}

/** Recalls a waiting message. One that was sent, or is being sent, cannot be recalled. */
export async function recallCall(
  tx: PoolClient,
  channel: CallChannel,
  order: RecallOrder,
  at: Micros,
): Promise<RecalledMessage | null> {
  const state = await readCallState(tx, channel, order.brand_id, order.message_id);
  if (state === null) return null;
  const why = { reason: 'recalled', by: order.by };
  const dropped = await dropWaitingCalls(tx, channel, { message_ids: [order.message_id] }, why, at);
  await forget(tx, dropped);
  const ended = dropped[0]?.state ?? state;
  return { state: ended, recalled: ended === 'dropped' && dropped.length > 0, signals: [] };
}

/** Ends those of these messages that wait, as unknown if an earlier call may have arrived. */
export async function endUnsentCalls(
  tx: PoolClient,
  channel: CallChannel,
  messageIds: readonly number[],
  ending: UnsentEnding,
  at: Micros,
): Promise<Unsent> {
  await forget(tx, await dropWaitingCalls(tx, channel, { message_ids: messageIds }, ending, at));
  return readUnsent(tx, 'called_message', messageIds, ending);
}

/** Drops everything that waits for players who are erased. */
export async function forgetCalls(
  tx: PoolClient,
  channel: CallChannel,
  playerIds: readonly number[],
  at: Micros,
): Promise<void> {
  if (playerIds.length === 0) return;
  const why = { reason: 'erased', by: null };
  await forget(tx, await dropWaitingCalls(tx, channel, { player_ids: playerIds }, why, at));
}

async function forget(tx: PoolClient, dropped: readonly { message_id: number }[]): Promise<void> {
  await forgetContacts(
    tx,
    dropped.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
  );
}
