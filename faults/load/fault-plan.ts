import { seededRandom } from '../../packages/sandbox/src/random.ts';
import type { Role } from '../installation/processes.ts';

/** Something that strikes at a moment of a run. */
export interface PlannedKill {
  /** Milliseconds after the load began. */
  at_ms: number;
  role: Role;
  /** Which of the processes of that role, as a number in [0, 1). */
  which: number;
  /** Not at any moment, but while a worker is in the middle of a batch: after its first write, before its commit. */
  aimed: boolean;
}

const roles: readonly Role[] = ['api', 'worker', 'postgres'];
/**
 * Two strikes may fall together (a tenth of them do), so that one hits while the other is not healed yet; on average there
 * are 4 s between them, in which the platform comes back and does some work.
 */
const meanGapMs = 6_000;
const togetherShare = 0.1;
/**
 * Of the strikes at workers and PostgreSQL. Batches take milliseconds, so a blow at any moment seldom falls into one; and in
 * there it could do the most harm.
 */
const aimedShare = 0.7;
/** The first strike finds the load flowing, the last one leaves it some time to flow again. */
const marginMs = 1_500;

/**
 * When which process is killed: in every three strikes each role once, in an order of chance, so that a run of seconds hits
 * them all. Pure: the same seed gives the same plan.
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
      // The first three come evenly, whatever the draws: a run that is too short for that tests nothing.
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
