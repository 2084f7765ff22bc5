import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import type { SessionEnded } from '../channel.ts';
import { hurryDeliveries } from './delivery-store.ts';
import { dropDevices } from './subscription-store.ts';

/** Takes all devices of these players away, and drops what waits for them. @returns devices removed. */
export async function dropSubscriptions(tx: ClientBase, playerIds: readonly number[], at: Micros): Promise<number> {
  if (playerIds.length === 0) return 0;
  return dropDevices(tx, { by: 'player', player_ids: playerIds }, 'excluded', at);
}

/**
 * Part of whatever ends sessions, in its transaction: a device that a session confirmed last goes with it, so that the next person at a
 * shared computer sees nothing of this player. It comes back by itself when the player signs in there again.
 */
export async function dropAtLogout(tx: ClientBase, ends: readonly SessionEnded[]): Promise<number> {
  if (ends.length === 0) return 0;
  const at = Math.max(...ends.map((end) => end.at));
  return dropDevices(tx, { by: 'logout', ends }, 'logout', at);
}

/**
 * What changes for devices when a player's protection does; part of the follower 'channels'. An exclusion takes the devices away, and
 * whoever comes back subscribes anew. After a block or a withdrawn consent whatever waits is looked at now, and the gate decides:
 * a service message may still ring.
 */
export async function protectPushes(
  tx: ClientBase,
  transitions: readonly ProtectionTransition[],
  at: Micros,
): Promise<{ removed: number; hurried: number }> {
  const playersOf = (...kinds: ProtectionTransition['kind'][]) => [
    ...new Set(transitions.filter(({ kind }) => kinds.includes(kind)).map(({ player_id }) => player_id)),
  ];
  const removed = await dropSubscriptions(tx, playersOf('excluded'), at);
  const hurried = await hurryDeliveries(tx, playersOf('blocked', 'consent_withdrawn'));
  return { removed, hurried };
}
