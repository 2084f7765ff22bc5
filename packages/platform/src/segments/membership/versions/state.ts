/*
 * A segment's state follows from its versions.
 *
 *   version   draft ----- publish ----> computing ----- all players settled ----> in_force --- a newer one comes into force ---> past
 *               ^                        |    ^                                     |   ^
 *               '------ withdrawn -------'    | publish again                       |   | recompute
 *                 (it cannot be computed) --> failed (never in force)               '-> failed: its rule can no longer be evaluated
 *
 *             A version is withdrawn if it cannot be computed, or if a person cancels its first computation. If there is a newer
 *             draft by then, the withdrawn version becomes past instead of a draft.
 *
 *   segment   computing   a version is being computed; the previous one stays in force meanwhile
 *             failed      the version in force, or the one that should come into force, cannot be evaluated
 *             live        a version is in force
 *             draft       none was ever published
 */
export const versionStates = ['draft', 'computing', 'in_force', 'failed', 'past'] as const;
export type VersionState = (typeof versionStates)[number];

export const segmentStates = ['draft', 'computing', 'live', 'paused', 'failed'] as const;
export type SegmentState = (typeof segmentStates)[number];

export function segmentStateOf(versions: readonly VersionState[], isPaused = false): SegmentState {
  if (versions.includes('failed')) return 'failed';
  if (versions.includes('computing')) return 'computing';
  if (versions.includes('in_force')) return isPaused ? 'paused' : 'live';
  return 'draft';
}

export const versionEvents = ['publish', 'computed', 'cannot_be_read', 'cancel', 'recompute', 'replaced'] as const;
export type VersionEvent = (typeof versionEvents)[number];

/** The complete table. null: the event cannot happen in that state, and is refused. */
const table: Record<VersionState, Record<VersionEvent, VersionState | null>> = {
  draft: { publish: 'computing', computed: null, cannot_be_read: null, cancel: null, recompute: null, replaced: null },
  computing: {
    publish: null,
    computed: 'in_force',
    cannot_be_read: 'failed',
    cancel: 'draft',
    recompute: null,
    replaced: null,
  },
  in_force: {
    publish: null,
    computed: null,
    cannot_be_read: 'failed',
    cancel: null,
    recompute: 'in_force',
    replaced: 'past',
  },
  failed: {
    publish: null,
    computed: null,
    cannot_be_read: 'failed',
    cancel: null,
    recompute: 'computing',
    replaced: 'past',
  },
  past: { publish: null, computed: null, cannot_be_read: null, cancel: null, recompute: null, replaced: null },
};

/** Whether a person can cancel the computation of a version: only the first one. A version that was in force is computed to the end. */
export function canCancel({ state, computed_at }: { state: VersionState; computed_at: number | null }): boolean {
  return nextState(state, 'cancel') !== null && computed_at === null;
}

export function nextState(state: VersionState, event: VersionEvent): VersionState | null {
  return table[state][event];
}
