import type { EventKind } from '@croupier/contracts';
import { type LookUp, lookUps } from '../../judging/index.ts';

/** Which look-ups an event requests (docs/reference/interface.md, Events). */
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
