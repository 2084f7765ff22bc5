import type { Activity, Resolution } from './activity.ts';
import type { RoundIds } from './keys.ts';
import type { MessageRun } from './message.ts';
import type { HeldRound } from './round.ts';

/** Everything of one round key that a batch works with: one round or, where ids are used again, several. */
export interface Place {
  readonly ids: RoundIds;
  readonly round_key: number;
  readonly loaded: HeldRound[];
  readonly entries: Entry[];
  runs: readonly MessageRun[];
  touched: boolean;
}

/** A version of an activity, where it is held. */
export interface Entry {
  activity: Activity;
  readonly place: Place;
  readonly key: string;
  readonly identity: string;
  /** Its resolution before the batch; undefined when it came with it. */
  readonly was: Resolution | undefined;
  /** No longer held. */
  gone: boolean;
  /** Of one that came with the batch. */
  readonly lookups: readonly number[] | undefined;
}

export function become(entry: Entry, resolution: Resolution): void {
  if (entry.activity.resolution === resolution) return;
  entry.activity = { ...entry.activity, resolution };
  entry.place.touched = true;
}

/** What an activity that stands is when no other one concerns it. */
export function unresolved({ status }: Pick<Activity, 'status'>): Resolution {
  return status === 'Approved' ? 'in_force' : 'orphan';
}

/** A Rollback takes out every Approved among these, whichever came first and whatever their amounts (docs/reference/decisions.md 2.6). */
export function resolveTogether(entries: readonly Entry[]): void {
  const standing = entries.filter(({ gone, activity }) => !gone && activity.resolution !== 'superseded');
  const first = standing[0]?.activity.status;
  const isTakenOut = standing.some(({ activity }) => activity.status !== first);
  for (const entry of standing) {
    if (entry.activity.status === 'Approved') become(entry, isTakenOut ? 'rolled_back' : 'in_force');
    else become(entry, isTakenOut ? 'in_force' : 'orphan');
  }
}
