import type { Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';

/** A player's registration: one per player, the earliest by timestamp, ties by the smallest fingerprint (decisions.md 2.4). */
export interface Registration {
  player_id: number;
  at: Micros;
  fingerprint: string;
  origin: string | null;
  url_referer: string | null;
}

/** Applies a batch to the registrations held, by player. Pure. A registration moves no money, so a second one is a repeat. */
export function decide(
  held: ReadonlyMap<number, Registration>,
  events: readonly DerivedEvent<'registration'>[],
): { changed: Registration[]; verdicts: Map<DerivedEvent, Verdict> } {
  const changed = new Map<number, Registration>();
  const verdicts = new Map<DerivedEvent, Verdict>();
  for (const source of events) {
    const registration = registrationOf(source);
    const before = changed.get(source.player_id) ?? held.get(source.player_id);
    if (before !== undefined) verdicts.set(source, 'repeat');
    if (before === undefined || isEarlier(registration, before)) changed.set(source.player_id, registration);
  }
  return { changed: [...changed.values()], verdicts };
}

function registrationOf(source: DerivedEvent<'registration'>): Registration {
  const { timestamp: at, origin = null, url_referer = null } = source.event;
  return { player_id: source.player_id, at, fingerprint: fingerprintOf(source), origin, url_referer };
}

function isEarlier(a: Registration, b: Registration): boolean {
  return a.at < b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}
