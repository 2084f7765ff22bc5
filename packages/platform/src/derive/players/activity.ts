import type { Micros, OperatorEventKind } from '@croupier/contracts';
import type { DerivedEvent } from '../event.ts';

/** The first and last event of a player, and the site of the latest. */
export interface Activity {
  player_id: number;
  first_event_at: Micros;
  last_event_at: Micros;
  origin: string | null;
  origin_at: Micros | null;
}

/**
 * Returns one activity per player of the batch. The first event, the last event and the origin of the latest event do
 * not depend on order or repetition. So this needs neither keys nor the removal of duplicates.
 */
export function activities(events: readonly DerivedEvent<OperatorEventKind>[]): Activity[] {
  const byPlayer = new Map<number, Activity>();
  for (const { player_id, event } of events) {
    const { timestamp: at } = event;
    const held = byPlayer.get(player_id);
    const activity = held ?? { player_id, first_event_at: at, last_event_at: at, origin: null, origin_at: null };
    if (held === undefined) byPlayer.set(player_id, activity);
    activity.first_event_at = Math.min(activity.first_event_at, at);
    activity.last_event_at = Math.max(activity.last_event_at, at);
    if (event.origin === undefined || !isLaterOrigin(at, event.origin, activity)) continue;
    activity.origin = event.origin;
    activity.origin_at = at;
  }
  return [...byPlayer.values()];
}

/**
 * If two events have the same time, the origin whose bytes sort first is used (as in store.ts). No other field of the events is stored, so
 * nothing else can decide.
 */
function isLaterOrigin(at: Micros, origin: string, { origin: held, origin_at }: Activity): boolean {
  return (
    held === null ||
    origin_at === null ||
    at > origin_at ||
    (at === origin_at && Buffer.from(origin).compare(Buffer.from(held)) < 0)
  );
}
