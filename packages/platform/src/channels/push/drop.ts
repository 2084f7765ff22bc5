import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import type { SessionEnded } from '../channel.ts';
import { makeDeliveriesDue } from './delivery-store.ts';
import { dropDevices } from './subscription-store.ts';

/** Removes all devices of these players, and drops the pushes that wait for them. @returns devices removed */
export async function dropSubscriptions(tx: ClientBase, playerIds: readonly number[], at: Micros): Promise<number> {
  if (playerIds.length === 0) return 0;
  return dropDevices(tx, { by: 'player', player_ids: playerIds }, 'excluded', at);
}

/**
 * Part of every logout, in its transaction. It removes the devices that the session confirmed last, so that the next user of a
 * shared computer sees nothing of this player. A device is subscribed again automatically when the player signs in there again.
 */
export async function dropAtLogout(tx: ClientBase, ends: readonly SessionEnded[]): Promise<number> {
  if (ends.length === 0) return 0;
  const at = Math.max(...ends.map((end) => end.at));
  return dropDevices(tx, { by: 'logout', ends }, 'logout', at);
}

/**
 * Changes devices when a player's protection changes; part of the follower 'channels'. An exclusion removes the devices; a
 * player who returns must subscribe again. After a block or a withdrawn consent, waiting pushes become due now and the gate
 * decides: a service message may still be pushed.
 */
export async function protectPushes(
  tx: ClientBase,
  transitions: readonly ProtectionTransition[],
  at: Micros,
): Promise<{ removed: number; made_due: number }> {
  const playersOf = (...kinds: ProtectionTransition['kind'][]) => [
    ...new Set(transitions.filter(({ kind }) => kinds.includes(kind)).map(({ player_id }) => player_id)),
  ];
  const removed = await dropSubscriptions(tx, playersOf('excluded'), at);
  const made_due = await makeDeliveriesDue(tx, playersOf('blocked', 'consent_withdrawn'));
  return { removed, made_due };
}
