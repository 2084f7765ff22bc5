import type { Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import { readUnreadable } from '../../channels/index.ts';
import type { Alarm } from '../overview/alarms.ts';

/** Problems with push that a person should look at. */
export interface PushConcerns {
  /** Pairs of keys that can no longer sign, and are not revoked; null if there is none, or the brand sends no pushes. */
  unreadable: { isCurrent: boolean; devices: number } | null;
}

export async function readPushConcerns(pool: Pool, vault: Vault, brand: Brand): Promise<PushConcerns> {
  if (!brand.settings.push.enabled) return { unreadable: null };
  return { unreadable: await readUnreadable(pool, vault, brand) };
}

/** Pure. */
export function pushAlarms({ unreadable }: PushConcerns): Alarm[] {
  if (unreadable === null) return [];
  const { isCurrent, devices } = unreadable;
  const what = isCurrent ? 'Push is off: its' : 'Former push';
  const message = `${what} keys cannot be read with this CROUPIER_SECRET, and ${devices} devices get no pushes. Restore the former secret, or create a new pair (POST push-keys).`;
  return [{ code: 'push_keys_unreadable', severity: 'critical', message, since: null, list: '/push' }];
}
