import { addVersion } from '../../versions.ts';
import { type BonusEvent, inOrder, isKey, isSameMoney, isStatus, saying } from './bonus.ts';

/*
 * Which events a bonus keeps. Some operators send Ongoing with every bet, and each event rewrites the row, so a bonus of a
 * thousand events cannot keep them all; the ones left out stay in the ledger.
 *
 * A choice must be a function of the set, whatever was left out before: choosing from what was kept and what is new must give
 * what choosing from everything gives. That holds for "the first, or the last, of all that are such and such" as long as an
 * event alone tells whether it is such, and for any number of such choices side by side; it does not hold for "the first one
 * after the latest Reversed", of which a late Reversed would want one that is gone. So the choices below are all of the first sort:
 *
 *   the earliest and the latest                        the grant, the state, and the history that people look at
 *   the latest Reversed, the latest of another status  what the grant and the state come after
 *   the latest that tells of each optional field       every amount: no money is ever lost
 *   the latest that tells another amount turned real   what the amount in force comes after
 *   the last of each day                               the first event after any of these, exact to the day
 *
 * So a bonus says the same as if it had kept everything, its amounts to the last digit; of moments that lie in its
 * middle, when it has one, it tells the (UTC) day, and the time of a later event of that day.
 */
export interface Keeping {
  /** Events of different keys. */
  earliest: number;
  latest: number;
  /** Of that many days, the latest on which anything happened: twice what most wagering may take. */
  days: number;
}

/** With all of it, about 300 bytes each, a row stays below 60 kB. */
export const retainedEvents: Keeping = { earliest: 20, latest: 100, days: 60 };

/** @param all versions of one bonus, in canonical order. Returns those that it keeps, in the same order. */
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

/** The versions of each key, by the one that stands. */
function byKey(all: readonly BonusEvent[]): Map<BonusEvent, BonusEvent[]> {
  const versionsOf = new Map<BonusEvent, BonusEvent[]>();
  let standing: BonusEvent | undefined;
  for (const version of all) {
    if (standing === undefined || !isKey(standing, version)) standing = version;
    const versions = versionsOf.get(standing);
    if (versions === undefined) versionsOf.set(standing, [version]);
    else versions.push(version);
  }
  return versionsOf;
}

function addOfKey(versions: readonly BonusEvent[], version: BonusEvent): readonly BonusEvent[] {
  return addVersion(versions, version, isSameMoney);
}

/** Whether the same has turned real, whatever the rate. */
export function turnedRealAlike(a: BonusEvent, b: BonusEvent): boolean {
  return a.bonus_turned_real === b.bonus_turned_real && a.currency === b.currency;
}

const day = 86_400_000_000;

/** @param events in order of time */
function lastOfDays(events: readonly BonusEvent[], days: number): BonusEvent[] {
  return [...new Map(events.map((event) => [Math.floor(event.timestamp / day), event])).values()].slice(-days);
}
