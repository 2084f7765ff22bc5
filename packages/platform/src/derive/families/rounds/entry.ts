import type { Activity, Resolution } from './activity.ts';
import type { RoundIds } from './keys.ts';
import type { MessageRun } from './message.ts';
import type { HeldRound } from './round.ts';

/** Everything that a batch needs for one round key: one round, or several if ids were reused. */
export interface Place {
  readonly ids: RoundIds;
  readonly round_key: number;
  readonly loaded: HeldRound[];
  readonly entries: Entry[];
  runs: readonly MessageRun[];
  touched: boolean;
}

/** A version of an activity, and where it is stored. */
export interface Entry {
  activity: Activity;
  readonly place: Place;
  readonly key: string;
  readonly identity: string;
  /** The resolution of the activity before the batch; undefined if the activity arrived with the batch. */
  readonly was: Resolution | undefined;
  /** True if the version is no longer stored. */
  gone: boolean;
  /** Set only for a version that arrived with the batch. */
  readonly lookups: readonly number[] | undefined;
}

export function setResolution(entry: Entry, resolution: Resolution): void {
  if (entry.activity.resolution === resolution) return;
  entry.activity = { ...entry.activity, resolution };
  entry.place.touched = true;
}

/** The resolution of a version in force that no other activity affects. */
export function unresolved({ status }: Pick<Activity, 'status'>): Resolution {
  return status === 'Approved' ? 'in_force' : 'orphan';
}

/**
 * Resolves activities that belong together. If one of them is a Rollback, it cancels every Approved one, regardless of the order of
 * arrival and the amounts (docs/reference/decisions.md 2.6).
 */
export function resolveTogether(entries: readonly Entry[]): void {
  const candidates = entries.filter(({ gone, activity }) => !gone && activity.resolution !== 'superseded');
  const first = candidates[0]?.activity.status;
  const isTakenOut = candidates.some(({ activity }) => activity.status !== first);
  for (const entry of candidates) {
    if (entry.activity.status === 'Approved') setResolution(entry, isTakenOut ? 'rolled_back' : 'in_force');
    else setResolution(entry, isTakenOut ? 'in_force' : 'orphan');
  }
}
