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
 * What follows when messages become live, in the transaction that makes them so: connected browsers are told, and those of the
 * channel push go to the player's devices.
 *
 * @returns what to poke the sender with, after the commit.
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
