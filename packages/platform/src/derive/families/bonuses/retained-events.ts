import { addVersion } from '../../versions.ts';
import { type BonusEvent, inOrder, isKey, isSameMoney, isStatus, saying } from './bonus.ts';

/*
 * Selects the events that a bonus stores. Some operators send Ongoing with every bet, and each event rewrites the row,
 * so a bonus with a thousand events cannot store them all. The others remain in the ledger.
 *
 * The selection must be a function of the set of events: selecting from the stored and the new events must give the
 * same result as selecting from all events. That holds for "the first (or last) of all events with a certain property",
 * as long as the event alone determines the property, and also for several such selections together. It does not hold
 * for "the first event after the latest Reversed": a Reversed that arrives late may need an event that is no longer
 * stored. So all selections below are of the first kind:
 *
 *   the earliest and the latest                        the grant, the state, and the history that people look at
 *   the latest Reversed, the latest of another status  where the grant and the state start
 *   the latest that contains each optional field       every amount: no money is ever lost
 *   the latest with another amount turned real         where the amount in force starts
 *   the last of each day                               the first event after any of these, exact to the day
 *
 * So a bonus gives the same result as if it had stored everything, with exact amounts. Only times in the middle of a long history
 * can differ: the (UTC) day is right, but the time is that of a later event of that day.
 */
export interface Keeping {
  /** The number of earliest events to keep. Versions of one key count as one event. */
  earliest: number;
  latest: number;
  /**
   * The number of days, counted from the latest day with events, whose last event is kept. It is twice the usual time limit for wagering.
   */
  days: number;
}

/** At about 300 bytes per event, a row with all of these stays below 60 kB. */
export const retainedEvents: Keeping = { earliest: 20, latest: 100, days: 60 };

/**
 * @param all versions of one bonus, in canonical order
 * @returns the versions to store, in the same order
 */
export function retainedOf(all: readonly BonusEvent[], { earliest, latest, days }: Keeping): readonly BonusEvent[] {
  const versionsOf = byKey(all);
  const keys = [...versionsOf.keys()];
  const last = keys.at(-1);
  const wanted = new Set([
    ...keys.slice(0, earliest),
    ...keys.slice(-latest),
    ...keys.filter(({ status }) => status === 'Reversed').slice(-1),
    ...keys.filter((event) => last !== undefined && !isStatus(event, last)).slice(-1),
    ...lastOfDays(keys, days),
  ]);
  const turned = saying(all, 'bonus_turned_real');
  const inForce = turned.at(-1);
  const retained = new Set([
    ...turned.slice(-1),
    ...turned.filter((event) => inForce !== undefined && !turnedRealAlike(event, inForce)).slice(-1),
    ...lastOfDays(turned, days),
    ...saying(all, 'locked_amount').slice(-1),
    ...saying(all, 'required_wagering_amount').slice(-1),
    ...saying(all, 'bonus_code').slice(-1),
    ...saying(all, 'crm_references').slice(-1),
    ...saying(all, 'expires_at').slice(-1),
  ]);
  for (const key of wanted) {
    const versions = versionsOf.get(key) ?? [];
    for (const version of versions.reduce<readonly BonusEvent[]>(addOfKey, [])) retained.add(version);
  }
  return [...retained].sort(inOrder);
}

/** The versions of each key, indexed by the one in force. */
function byKey(all: readonly BonusEvent[]): Map<BonusEvent, BonusEvent[]> {
  const versionsOf = new Map<BonusEvent, BonusEvent[]>();
  let current: BonusEvent | undefined;
  for (const version of all) {
    if (current === undefined || !isKey(current, version)) current = version;
    const versions = versionsOf.get(current);
    if (versions === undefined) versionsOf.set(current, [version]);
    else versions.push(version);
  }
  return versionsOf;
}

function addOfKey(versions: readonly BonusEvent[], version: BonusEvent): readonly BonusEvent[] {
  return addVersion(versions, version, isSameMoney);
}

/** True if the amounts turned real are equal, regardless of the rate. */
export function turnedRealAlike(a: BonusEvent, b: BonusEvent): boolean {
  return a.bonus_turned_real === b.bonus_turned_real && a.currency === b.currency;
}

const day = 86_400_000_000;

/** @param events in order of time */
function lastOfDays(events: readonly BonusEvent[], days: number): BonusEvent[] {
  return [...new Map(events.map((event) => [Math.floor(event.timestamp / day), event])).values()].slice(-days);
}
