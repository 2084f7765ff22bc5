import type { Micros } from '@croupier/contracts';

/**
 * Look-ups wait in one of two lanes, each with its own slots at each endpoint. So ten thousand retries, or a
 * re-synchronization of a whole brand, never delay a login that happens now. Logins do not prevent the retries either.
 */
export const lanes = { live: 0, background: 1 } as const;
export type Lane = (typeof lanes)[keyof typeof lanes];

/** An event that is too old to start a contact (brand setting trigger_age_minutes) is an import, so it can wait. */
export function laneOf(event: { timestamp: Micros; received_at: Micros }, triggerAgeMinutes: number): Lane {
  return event.received_at - event.timestamp > triggerAgeMinutes * 60_000_000 ? lanes.background : lanes.live;
}
