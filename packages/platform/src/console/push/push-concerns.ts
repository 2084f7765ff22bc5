import type { Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import { listPairs } from '../../channels/index.ts';
import type { Alarm } from '../overview/alarms.ts';

/** What about push a person should look at. */
export interface PushConcerns {
  /** Pairs of keys that sign nothing any more, and nobody has revoked; null: there is none, or the brand sends no pushes. */
  unreadable: { isCurrent: boolean; devices: number } | null;
}

export async function readPushConcerns(pool: Pool, vault: Vault, brand: Brand): Promise<PushConcerns> {
  if (!brand.settings.push.enabled) return { unreadable: null };
  const pairs = await listPairs(pool, vault, brand);
  const lost = pairs.filter(({ readable, revoked_at }) => !readable && revoked_at === null);
  if (lost.length === 0) return { unreadable: null };
  const isCurrent = lost.some(({ replaced_at }) => replaced_at === null);
  return { unreadable: { isCurrent, devices: lost.reduce((sum, { devices }) => sum + devices, 0) } };
}

/** Pure. */
export function pushAlarms({ unreadable }: PushConcerns): Alarm[] {
  if (unreadable === null) return [];
  const { isCurrent, devices } = unreadable;
  const what = isCurrent ? 'Push is off: its' : 'Former push';
  const message = `${what} keys cannot be read with this CROUPIER_SECRET, and ${devices} devices get no pushes. Give the former secret back, or make a new pair (POST push-keys).`;
  return [{ code: 'push_keys_unreadable', severity: 'critical', message, since: null, list: '/push' }];
}
