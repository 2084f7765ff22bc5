import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';
import { addEvent, type BonusEvent, bonusEvent, meet } from './bonus.ts';
import { type Bonus, type BonusIdentity, bonusFact } from './fact.ts';

export interface Arrival {
  source: DerivedEvent<'bonus'>;
  identity: BonusIdentity;
  event: BonusEvent;
}

export interface BonusChange {
  brand_id: number;
  before: Bonus | undefined;
  after: Bonus;
}

export interface BonusDecision {
  /** Bonuses that are no longer as they were; repeats change none. */
  changes: BonusChange[];
  verdicts: Map<DerivedEvent, Verdict>;
}

export function arrivalOf(source: DerivedEvent<'bonus'>): Arrival {
  const { player_id, event } = source;
  const { user_bonus_id } = event;
  return { source, identity: { player_id, user_bonus_id }, event: bonusEvent(event, fingerprintOf(source)) };
}

export function nameOf({ player_id, user_bonus_id }: BonusIdentity): string {
  return `${player_id}:${user_bonus_id}`;
}

/**
 * Applies a batch to the bonuses it touches. Pure: from the bonuses held before, by `nameOf`, and the events that arrived, to
 * the bonuses afterwards.
 */
export function decide(held: ReadonlyMap<string, Bonus>, arrivals: readonly Arrival[]): BonusDecision {
  const decision: BonusDecision = { changes: [], verdicts: new Map() };
  for (const [name, own] of Map.groupBy(arrivals, ({ identity }) => nameOf(identity))) {
    decideOne(held.get(name), own, decision);
  }
  return decision;
}

function decideOne(before: Bonus | undefined, arrivals: readonly Arrival[], decision: BonusDecision): void {
  const first = arrivals[0];
  if (first === undefined) return;
  const known = before?.events ?? [];
  let events = known;
  for (const { source, event } of arrivals) {
    const met = meet(events, event);
    if (met !== 'new') decision.verdicts.set(source, met);
    events = addEvent(events, event);
  }
  if (events === known) return;
  const after = bonusFact(first.identity, events, first.source.settings.time_zone);
  decision.changes.push({ brand_id: first.source.brand_id, before, after });
}
