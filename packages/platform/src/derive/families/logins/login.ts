import { dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Part } from '../../totals/index.ts';

/**
 * A login or logout. Its key is the timestamp. Of two bodies with one timestamp, the one with the smaller fingerprint
 * is in force.
 */
export interface Login {
  player_id: number;
  action: 'login' | 'logout';
  at: Micros;
  fingerprint: string;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  /** False if staff signed in as the player (`is_impersonated`, docs/reference/decisions.md 2.10). */
  counted: boolean;
  origin: string | null;
}

export function loginOf(source: DerivedEvent<'login' | 'logout'>): Login {
  const { event, player_id, settings } = source;
  const { timestamp: at, origin = null } = event;
  const counted = event.kind === 'logout' || event.is_impersonated !== true;
  const fingerprint = fingerprintOf(source);
  return { player_id, action: event.kind, at, fingerprint, day: dayOf(settings.time_zone, at), counted, origin };
}

export function partsOf(login: Login | undefined): Part[] {
  if (login === undefined || !login.counted) return [];
  const { player_id, at, day, action } = login;
  return [{ player_id, at, day, counts: { [`${action}_count`]: 1 }, dated: [action] }];
}
