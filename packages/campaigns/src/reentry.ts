import type { Micros } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';
import type { Reentry } from './document.ts';

/** The runs of one player in one campaign so far. */
export interface EarlierRuns {
  runs: number;
  /** Whether one of them is open. */
  is_running: boolean;
  /** Null if there are none. */
  last_entered_at: Micros | null;
}

export const noEarlierRuns: EarlierRuns = { runs: 0, is_running: false, last_entered_at: null };

/** Returns the earlier runs with one more run, which is open. Pure. */
export function withRun({ runs, last_entered_at }: EarlierRuns, entered_at: Micros): EarlierRuns {
  return { runs: runs + 1, is_running: true, last_entered_at: Math.max(last_entered_at ?? entered_at, entered_at) };
}

/** Whether the rule of re-entry depends on earlier runs. Pure. */
export function dependsOnEarlierRuns(reentry: Reentry = { times: 1 }): boolean {
  return 'after' in reentry || reentry.times !== 'unlimited' || reentry.while_running !== true;
}

/** Whether a player who was in the campaign before may enter again. Pure. */
export function decideReentry(
  reentry: Reentry = { times: 1 },
  { earlier, at }: { earlier: EarlierRuns; at: Micros },
): boolean {
  const { runs, is_running, last_entered_at } = earlier;
  if (last_entered_at === null) return true;
  if ('after' in reentry) return !is_running && at >= last_entered_at + (readDuration(reentry.after) ?? 0);
  const { times, while_running = false } = reentry;
  return (while_running || !is_running) && (times === 'unlimited' || runs < times);
}
