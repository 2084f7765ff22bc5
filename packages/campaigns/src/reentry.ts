import type { Micros } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';
import type { Reentry } from './document.ts';

/** Whether a player who was in the campaign before may enter again. Pure. */
export function decideReentry(
  reentry: Reentry = { times: 1 },
  { earlier, at }: { earlier: readonly { entered_at: Micros; ended_at: Micros | null }[]; at: Micros },
): boolean {
  if (earlier.length === 0) return true;
  const isRunning = earlier.some(({ ended_at }) => ended_at === null);
  if ('after' in reentry) {
    const last = Math.max(...earlier.map(({ entered_at }) => entered_at));
    return !isRunning && at >= last + (readDuration(reentry.after) ?? 0);
  }
  const { times, while_running = false } = reentry;
  return (while_running || !isRunning) && (times === 'unlimited' || earlier.length < times);
}
