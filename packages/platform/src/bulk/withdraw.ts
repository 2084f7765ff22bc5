import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { playerChannels } from '../channels/index.ts';
import type { BulkAction } from './action.ts';
import { ended } from './effect.ts';
import * as store from './store.ts';

/** Players per transaction, so that no message is locked for long. */
const portionPlayers = 500;
/** When to look again at messages whose call was in progress. */
const sendingMicros = 5_000_000;

/**
 * Ends the next messages of a cancelled action that are still unsent, and counts their players as withheld. The caller has locked
 * the progress, whose `ended_up_to` moves on in the same transaction. So after a crash, another worker continues, and each player is
 * counted once.
 *
 * Whether a message may be sent does not depend on this: each sender reads whether the action was cancelled (channels/message-hold.ts).
 * It is for people, for the counts, and for the length of queues.
 *
 * While the call of a message is in progress, the action stays before its player, and looks again after 5 s: if the call fails, the
 * message ends. No further call begins, so this is soon over.
 *
 * @returns how many players it looked at
 */
export async function withdrawPortion(
  tx: PoolClient,
  { progress, action }: { progress: store.Progress; action: BulkAction },
  at: Micros,
): Promise<number> {
  const { action_id, ended_up_to } = progress;
  const { does, cancelled_by } = action;
  const moving = { ...progress, waits_for: null };
  if (does.kind === 'offer' || ended_up_to === null) {
    await store.saveProgress(tx, { ...moving, ended_up_to: null });
    return 0;
  }
  const ordered = await store.listOrdered(tx, action_id, { after: ended_up_to, limit: portionPlayers });
  const { ended: over, sending } = await playerChannels.endUnsent(
    tx,
    does.channel,
    ordered.map(({ message_id }) => message_id),
    { reason: 'bulk_cancelled', by: cancelled_by },
    at,
  );
  const isOver = new Set(over);
  await countWithdrawn(
    tx,
    action_id,
    ordered.filter(({ message_id }) => isOver.has(message_id)),
    at,
  );
  const isSending = new Set(sending);
  const open = ordered.find(({ message_id }) => isSending.has(message_id));
  if (open !== undefined)
    await store.saveProgress(tx, { ...moving, ended_up_to: open.player_id - 1, next_at: at + sendingMicros });
  else
    await store.saveProgress(tx, {
      ...moving,
      ended_up_to: ordered.length < portionPlayers ? null : (ordered.at(-1)?.player_id ?? null),
    });
  return ordered.length;
}

async function countWithdrawn(
  tx: PoolClient,
  actionId: number,
  players: readonly store.OrderedFor[],
  at: Micros,
): Promise<void> {
  const outcomes = players.map(({ player_id, message_id, decision_id }) => ({
    ...ended(player_id, 'withheld', 'bulk_cancelled'),
    message_id,
    decision_id,
  }));
  await store.saveOutcomes(tx, actionId, outcomes, at);
  await store.count(tx, actionId, [
    ...players.map(({ state, reason }) => ({ state, reason, players: -1 })),
    ...outcomes.map(({ state, reason }) => ({ state, reason, players: 1 })),
  ]);
}
