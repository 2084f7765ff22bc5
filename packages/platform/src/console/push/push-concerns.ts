import type { Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import { readUnreadable } from '../../channels/index.ts';
import { alarmText } from '../overview/alarm-texts.ts';
import type { Alarm } from '../overview/alarms.ts';

/** Problems with push that a person should look at. */
export interface PushConcerns {
  /** Pairs of keys that can no longer sign and are not revoked. Null if there are none, or if the brand sends no pushes. */
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
  const message = alarmText((texts) => texts.pushKeysUnreadable(isCurrent, devices));
  return [{ code: 'push_keys_unreadable', severity: 'critical', message, since: null, list: '/push' }];
}
