import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { forgetContacts } from '../../gate/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import type { RecalledMessage, RecallOrder, Unsent, UnsentEnding } from '../channel.ts';
import { readUnsent } from '../unsent.ts';
import { dropWaiting, makeEmailsDue, readState } from './store.ts';

/**
 * Changes e-mails when a player's protection changes; part of the follower 'channels'. Makes waiting e-mails due now, so that
 * the gate decides again: a service e-mail may still go to a player who is blocked.
 */
export async function protectEmails(tx: PoolClient, transitions: readonly ProtectionTransition[]): Promise<number> {
  const kinds: readonly ProtectionTransition['kind'][] = ['excluded', 'blocked', 'consent_withdrawn'];
  const players = transitions.filter(({ kind }) => kinds.includes(kind)).map(({ player_id }) => player_id);
  return makeEmailsDue(tx, [...new Set(players)]);
}

/** Recalls a waiting e-mail. One that was sent, or is being sent, cannot be recalled. */
export async function recallEmail(tx: PoolClient, order: RecallOrder, at: Micros): Promise<RecalledMessage | null> {
  const state = await readState(tx, order.brand_id, order.message_id);
  if (state === null) return null;
  const dropped = await dropWaiting(tx, { message_ids: [order.message_id] }, { reason: 'recalled', by: order.by }, at);
  await forget(tx, dropped);
  return dropped.length > 0
    ? { state: 'dropped', recalled: true, signals: [] }
    : { state, recalled: false, signals: [] };
}

/** Drops those of these e-mails that wait. */
export async function endUnsentEmails(
  tx: PoolClient,
  messageIds: readonly number[],
  ending: UnsentEnding,
  at: Micros,
): Promise<Unsent> {
  await forget(tx, await dropWaiting(tx, { message_ids: messageIds }, ending, at));
  return readUnsent(tx, 'email_message', messageIds, ending);
}

/** Drops everything that waits for players who are erased. */
export async function forgetEmails(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void> {
  if (playerIds.length === 0) return;
  await forget(tx, await dropWaiting(tx, { player_ids: playerIds }, { reason: 'erased', by: null }, at));
}

async function forget(tx: PoolClient, dropped: readonly { message_id: number }[]): Promise<void> {
  await forgetContacts(
    tx,
    dropped.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
  );
}
