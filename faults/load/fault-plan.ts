import { seededRandom } from '../../packages/sandbox/src/random.ts';
import type { Role } from '../installation/processes.ts';

/** A kill at a given time of a run. */
export interface PlannedKill {
  /** Milliseconds after the start of the load. */
  at_ms: number;
  role: Role;
  /** Which of the processes of that role, as a number in [0, 1). */
  which: number;
  /** If true, the kill waits until a worker is in the middle of a batch: after its first write, before its commit. */
  aimed: boolean;
}

const roles: readonly Role[] = ['api', 'worker', 'postgres'];
/**
 * The mean gap between two kills. In this time, the platform recovers and does some work. But a tenth of the kills happen together with
 * another kill, so that a process is killed before another one has recovered.
 */
const meanGapMs = 6_000;
const togetherShare = 0.1;
/**
 * Share of aimed kills among those of workers and PostgreSQL. Batches take milliseconds, so a kill at a random time seldom hits
 * one, although it could do the most harm there.
 */
const aimedShare = 0.7;
/** Time before the first kill and after the last one, so that the load runs before and after. */
const marginMs = 1_500;

/**
 * Plans the kills. Every three kills contain each role once, in random order, so that a run of seconds includes them all. Pure:
 * the same seed gives the same plan.
 */
export function planKills(seed: string, seconds: number): PlannedKill[] {
  const random = seededRandom(`kills/${seed}`);
  const kills: PlannedKill[] = [];
  const end = seconds * 1000 - marginMs;
  let at = marginMs;
  for (;;) {
    const left = [...roles];
    while (left.length > 0) {
      const [role] = left.splice(random.whole(0, left.length - 1), 1);
      // The first three kills are always part of the plan, and their gaps are limited, because a run without them tests nothing.
      if (role === undefined || (kills.length >= roles.length && at > end)) return kills;
      kills.push({
        at_ms: Math.round(at),
        role,
        which: random.next(),
        aimed: role !== 'api' && random.chance(aimedShare),
      });
      const gap = random.chance(togetherShare) ? 0 : random.next() * 2 * meanGapMs;
      at += kills.length < roles.length ? Math.min(gap, (end - marginMs) / roles.length) : gap;
    }
  }
}
