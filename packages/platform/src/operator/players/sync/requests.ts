import type { EventKind } from '@croupier/contracts';
import { type LookUp, lookUps } from '../../calling/index.ts';

/** What an event makes us look up (interface.md, Events, "Platform reaction"). */
const lookUpsOfEvent: Partial<Record<EventKind, readonly LookUp[]>> = {
  registration: lookUps,
  login: lookUps,
  user_update: lookUps,
  consents_update: ['consents'],
  blocks_update: ['blocks'],
};

export function lookUpsAfter(kind: EventKind): readonly LookUp[] {
  return lookUpsOfEvent[kind] ?? [];
}

/**
 * Events by which the operator says that its own records of the player changed: until their look-ups are answered, what we
 * know is known to be outdated. After a registration or login it may be, which the age limit of facts takes care of.
 */
export function isNews(kind: EventKind): boolean {
  return kind === 'user_update' || kind === 'consents_update' || kind === 'blocks_update';
}
