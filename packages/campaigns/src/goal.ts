import type { Micros } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';
import type { Campaign } from './document.ts';
import { matchesEvent, type RunEvent } from './events.ts';

const day: Micros = 86_400_000_000;

/** How long after the entry a run that is over, or that is compared with other arms, watches for a goal without `within`. */
const defaultWindow = 30 * day;

/** A goal counts by the time of its event. An event may arrive up to this much later than the end of the window. */
export const latestGoal = day;

/** The end of the window after the steps of a run are over; null if the campaign has no goal. */
export function goalEnd({ goal }: Campaign, enteredAt: Micros): Micros | null {
  if (goal === undefined) return null;
  return enteredAt + (goal.within === undefined ? defaultWindow : (readDuration(goal.within) ?? 0));
}

/**
 * The end of the window of a run that is open. Without `within`, the goal counts until the run ends.
 *
 * @param isCompared whether the run has passed a split. Then its window is that of the control arm, whose runs are done.
 */
export function openGoalEnd(campaign: Campaign, enteredAt: Micros, isCompared: boolean): Micros | null {
  const isUnlimited = campaign.goal?.within === undefined && !isCompared;
  return isUnlimited ? Number.POSITIVE_INFINITY : goalEnd(campaign, enteredAt);
}

/** Whether an event reaches the goal of a run in its window, from `causedAt` to `until`. Both ends of the window belong to it. */
export function reachesGoal(
  { goal }: Campaign,
  event: RunEvent,
  { causedAt, until }: { causedAt: Micros; until: Micros },
  reading: Parameters<typeof matchesEvent>[2],
): boolean {
  if (goal === undefined || event.at < causedAt || event.at > until) return false;
  return matchesEvent(goal, event, reading);
}
