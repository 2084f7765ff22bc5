import { dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Part } from '../../totals/index.ts';

/**
 * A player's registration: one per player, the earliest by timestamp, in a tie by the smallest fingerprint
 * (docs/reference/decisions.md 2.4).
 */
export interface Registration {
  player_id: number;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  fingerprint: string;
  origin: string | null;
  url_referer: string | null;
}

export function registrationOf(source: DerivedEvent<'registration'>): Registration {
  const { event, player_id, settings } = source;
  const { timestamp: at, origin = null, url_referer = null } = event;
  const day = dayOf(settings.time_zone, at);
  return { player_id, at, day, fingerprint: fingerprintOf(source), origin, url_referer };
}

export function isEarlier(a: Registration, b: Registration): boolean {
  return a.at < b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}

/** What a registration adds to the totals of its player: one registration. */
export function partsOf(registration: Registration | undefined): Part[] {
  if (registration === undefined) return [];
  const { player_id, at, day } = registration;
  return [{ player_id, at, day, counts: { registration_count: 1 } }];
}
