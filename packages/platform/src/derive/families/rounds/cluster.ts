import type { Micros } from '@croupier/contracts';
import { byPrecedence } from '../../versions.ts';
import type { Activity } from './activity.ts';
import { type MessageRun, roundGap } from './message.ts';
import { inOrderOfTime, type Round } from './round.ts';

export type Cluster = Pick<Round, 'activities' | 'runs'>;

/**
 * Splits everything stored under one round key into rounds: neighbors more than 72 h apart belong to different rounds
 * (docs/reference/decisions.md 2.6). All events count as neighbors, so a late Rollback of an old round belongs to that
 * round, however old it is.
 *
 * @param activities in any order
 */
export function clustersOf(activities: readonly Activity[], runs: readonly MessageRun[]): Cluster[] {
  const own = isSorted(activities) ? activities : [...activities].sort(byPrecedence);
  const messages = runs.length > 1 ? [...runs].sort(inOrderOfTime) : runs;
  if (isShort(own, messages)) return own.length + messages.length === 0 ? [] : [{ activities: own, runs: messages }];
  const clusters: { activities: Activity[]; runs: MessageRun[]; until: Micros }[] = [];
  const at = (from: Micros, until: Micros) => {
    const last = clusters.at(-1);
    if (last !== undefined && from - last.until <= roundGap) {
      last.until = Math.max(last.until, until);
      return last;
    }
    const next = { activities: [], runs: [], until };
    clusters.push(next);
    return next;
  };
  let placed = 0;
  const placeUntil = (moment: Micros) => {
    for (let next = own[placed]; next !== undefined && next.timestamp <= moment; next = own[++placed]) {
      at(next.timestamp, next.timestamp).activities.push(next);
    }
  };
  for (const run of messages) {
    const from = run.versions[0]?.timestamp ?? run.until;
    placeUntil(from);
    at(from, run.until).runs.push(run);
  }
  placeUntil(Infinity);
  return clusters.map(({ activities, runs }) => ({ activities, runs }));
}

function isSorted(activities: readonly Activity[]): boolean {
  for (let i = 1; i < activities.length; i++) {
    if (byPrecedence(activities[i - 1] as Activity, activities[i] as Activity) > 0) return false;
  }
  return true;
}

/** True if everything under the key lies within one gap. This holds for nearly every round. */
function isShort(activities: readonly Activity[], runs: readonly MessageRun[]): boolean {
  let from = activities[0]?.timestamp ?? Infinity;
  let until = activities.at(-1)?.timestamp ?? -Infinity;
  for (const run of runs) {
    from = Math.min(from, run.versions[0]?.timestamp ?? run.until);
    until = Math.max(until, run.until);
  }
  return until - from <= roundGap;
}
