import type { Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';

/** A player's registration: one per player, the earliest by timestamp, ties by the smallest fingerprint (docs/reference/decisions.md 2.4). */
export interface Registration {
  player_id: number;
  at: Micros;
  fingerprint: string;
  origin: string | null;
  url_referer: string | null;
}

export function registrationOf(source: DerivedEvent<'registration'>): Registration {
  const { timestamp: at, origin = null, url_referer = null } = source.event;
  return { player_id: source.player_id, at, fingerprint: fingerprintOf(source), origin, url_referer };
}

export function isEarlier(a: Registration, b: Registration): boolean {
  return a.at < b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}
