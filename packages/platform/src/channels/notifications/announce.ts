import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { queuePush } from '../push/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { writeSignals } from '../signals/signal-store.ts';
import type { NewNotification } from './notification.ts';

export type Announced = Pick<NewNotification, 'brand_id' | 'player_id' | 'channel' | 'expires_at'> & {
  message_id: number;
};

/**
 * Announces messages that become live, in the same transaction: signals connected browsers, and sends messages of the channel
 * push to the player's devices.
 *
 * @returns signals that the caller passes to `SignalSender.poke` after the commit
 */
export async function announce(tx: PoolClient, live: readonly Announced[], at: Micros): Promise<SiteSignal[]> {
  await queuePush(
    tx,
    live.filter(({ channel }) => channel === 'push'),
    at,
  );
  return writeSignals(
    tx,
    live.map(({ brand_id, player_id, message_id }) => ({ brand_id, player_id, message_id, kind: 'arrived' })),
  );
}
