import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { deleteEndedBefore, deleteRequestsBefore } from './old-store.ts';

const day: Micros = 24 * 60 * 60_000_000;
/** A request that is repeated after more than 30 days creates a second message. Callers repeat within minutes. */
export const requestKeyDays = 30;
/** Maximum number of keys per batch, and of messages of each brand. A batch takes some 20 ms. */
const maxBatch = 1_000;

export interface Forgotten {
  messages: number;
  keys: number;
  /** There may be more to delete. */
  more: boolean;
}

/**
 * Deletes messages that ended (deleted, withdrawn, expired, withheld, dropped) more than `history_days` ago (setting of the brand). So the
 * timeline has them as long as it has the events beside them. Live messages stay, however old they are, because they are in a player's
 * inbox.
 *
 * Keys of requests are deleted first. Messages are deleted only when no old key is left, so a key never refers to a deleted
 * message.
 */
export async function forgetOld(
  pool: Pool,
  brands: readonly Pick<Brand, 'brand_id' | 'settings'>[],
  now: Micros,
): Promise<Forgotten> {
  const keys = await deleteRequestsBefore(pool, now - requestKeyDays * day, maxBatch);
  if (keys === maxBatch) return { messages: 0, keys, more: true };
  const messages = await deleteEndedBefore(
    pool,
    brands.map(({ brand_id, settings }) => ({
      brand_id,
      before: now - Math.max(settings.history_days, requestKeyDays + 1) * day,
    })),
    maxBatch,
  );
  return { messages, keys, more: messages >= maxBatch };
}
