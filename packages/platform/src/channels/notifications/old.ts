import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { deleteEndedBefore, deleteRequestsBefore } from './old-store.ts';

const day: Micros = 24 * 60 * 60_000_000;
/** A request that is repeated later than this makes a second message. Callers repeat within minutes. */
export const requestKeyDays = 30;
/** Keys at a time, and messages of each brand: some 20 ms. */
const maxBatch = 1_000;

export interface Forgotten {
  messages: number;
  keys: number;
  /** There may be more. */
  more: boolean;
}

/**
 * Removes messages that came to their end (deleted, withdrawn, expired, withheld, dropped) as many days ago as the brand keeps its
 * history (setting `history_days`): as long as the events that the timeline shows them between. Live messages stay, however old
 * they are: they stand in somebody's inbox.
 *
 * Keys of requests go first, and messages only when no key is too old: so a key never names a message that is gone.
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
