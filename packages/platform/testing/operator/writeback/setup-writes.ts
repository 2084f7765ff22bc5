import type { Pool } from 'pg';
import { systemClock } from '../../../src/clock.ts';
import { transaction } from '../../../src/database/index.ts';
import { changeConsents, listPlayerWriteBacks, type WriteBackItem } from '../../../src/operator/writeback/index.ts';
import { isCurrent, type SyncSetup, setupSync } from '../setup-sync.ts';

/** Setup for tests of this folder: a player known to both sides, opted in to everything at the operator. */
export type WriteSetup = SyncSetup & { pool: Pool; player_id: number };

type ConsentType = 'Email' | 'SMS' | 'Telephone' | 'PostMail' | 'SiteNotification' | 'PushNotification';
const types: readonly ConsentType[] = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'];

export async function setupWrites(pool: Pool, options: Parameters<typeof setupSync>[1] = {}): Promise<WriteSetup> {
  const sync = await setupSync(pool, { ...options, settings: { call_timeout_ms: 400, ...options.settings } });
  const player_id = await sync.addPlayer('p-1');
  sync.operator.books.change('p-1', { consents: types.map((type) => ({ type, opted_in: true })) });
  await sync.refresh(player_id);
  if (options.started !== false) await sync.until(player_id, isCurrent);
  return { ...sync, pool, player_id };
}

/** The player changes consents on the unsubscribe page. */
export function change(
  { pool, brand, player_id, worker }: WriteSetup,
  ...changes: { type: ConsentType; opted_in: boolean }[]
): Promise<{ change_id: number }> {
  const own = { brand_id: brand.brand_id, player_id, changes, source: 'unsubscribe', at: systemClock() } as const;
  return transaction(pool, (tx) => changeConsents(tx, own)).finally(worker.writer.wake);
}

/** For `expect.poll`, whose own limit of a second is too short on a busy machine. */
export const pollOptions = { interval: 5 };

export const out = (type: ConsentType) => ({ type, opted_in: false });

export async function consent(sync: WriteSetup, type: ConsentType = 'Email') {
  return (await sync.read(sync.player_id)).consents.find((one) => one.type === type);
}

/** Reads the newest change of a type until it is in that state; the test's timeout is the limit. */
export async function untilState(
  { pool, player_id }: WriteSetup,
  state: WriteBackItem['state'],
  type = 'Email',
): Promise<WriteBackItem> {
  for (;;) {
    const items = await listPlayerWriteBacks(pool, player_id, { limit: 50 });
    const item = items.find((one) => one.type === type);
    if (item?.state === state) return item;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Makes waiting retries due now. */
export async function hurry({ pool, player_id, worker }: WriteSetup): Promise<void> {
  await pool.query('update write_back_item set due_at = now() where player_id = $1 and due_at is not null', [
    player_id,
  ]);
  await pool.query('update write_back set due_at = now() where player_id = $1 and claim is null', [player_id]);
  worker.writer.wake();
}

export const writesOf = ({ operator }: SyncSetup) =>
  operator.calls.list().filter(({ endpoint }) => endpoint === 'userconsents_write');
