import type { Micros } from '@croupier/contracts';
import { type Catalog, type FactRow, type PlayerView, ruleHolds } from '@croupier/rules';
import type { EventMatcher } from './document.ts';
import { countOf } from './sentences.ts';

/** An event as campaigns see it. */
export interface RunEvent {
  /** The position of the event in the ledger. */
  id: string;
  /** payment, login, round, bet, ... */
  kind: string;
  at: Micros;
  /** The fields of the event, which are those of did.<kind>. */
  row: FactRow;
}

/** Whether an event matches an entry, a wait or a goal. */
export function matchesEvent(
  { event, where }: EventMatcher,
  { kind, row }: RunEvent,
  reading: { catalog: Catalog; at: Micros; zone: string },
): boolean {
  if (event !== kind) return false;
  if (where === undefined) return true;
  // Evaluated like conditions on facts, with the event as the only fact.
  const view: PlayerView = { value: () => null, changesAfter: () => undefined, facts: () => [row] };
  return ruleHolds(countOf(event, where), view, reading);
}
