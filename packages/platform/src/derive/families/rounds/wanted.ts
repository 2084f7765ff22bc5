import type { PlayerBatch } from './arrival.ts';
import type { Lookup } from './decide.ts';
import type { HeldRound } from './round.ts';
import type { Wanted } from './store.ts';

/**
 * What a batch must load: rounds that its events may join, and rounds that contain other versions of its events or
 * their Rollbacks.
 */
export function wantedBy(batches: readonly PlayerBatch[]): Wanted {
  const keys: Wanted['keys'][number][] = [];
  const lookups: Wanted['lookups'][number][] = [];
  for (const { player_id, arrivals } of batches) {
    const stretches = new Map<number, { player_id: number; round_key: number; from: number; until: number }>();
    const asked = new Set<number>();
    for (const arrival of arrivals) {
      const { round_key } = arrival;
      const { timestamp } = 'message' in arrival ? arrival.message : arrival.activity;
      const known = stretches.get(round_key);
      if (known === undefined) {
        const stretch = { player_id, round_key, from: timestamp, until: timestamp };
        stretches.set(round_key, stretch);
        keys.push(stretch);
      } else {
        known.from = Math.min(known.from, timestamp);
        known.until = Math.max(known.until, timestamp);
      }
      if ('message' in arrival) continue;
      for (const lookup of arrival.lookups) {
        if (asked.has(lookup)) continue;
        asked.add(lookup);
        lookups.push({ player_id, lookup });
      }
    }
  }
  return { keys, lookups };
}

/**
 * If the key of a brand's activities lacks a field of their identity, a version found by its key may have another
 * identity than the arriving one. Then the Rollbacks of that identity are needed as well.
 */
export function furtherLookups(
  batches: readonly PlayerBatch[],
  loaded: ReadonlyMap<number, readonly HeldRound[]>,
): Omit<Lookup, 'round_key'>[] {
  const further: Omit<Lookup, 'round_key'>[] = [];
  for (const { player_id, rule, arrivals } of batches) {
    if (rule.isUsual) continue;
    const keys = new Set<string>();
    const asked = new Set<number>();
    for (const arrival of arrivals) {
      if ('message' in arrival) continue;
      keys.add(arrival.key);
      for (const lookup of arrival.lookups) asked.add(lookup);
    }
    for (const { round } of loaded.get(player_id) ?? []) {
      for (const activity of round.activities) {
        if (!keys.has(rule.key(round, activity))) continue;
        for (const lookup of rule.lookups(round, activity)) {
          if (asked.has(lookup)) continue;
          asked.add(lookup);
          further.push({ player_id, lookup });
        }
      }
    }
  }
  return further;
}
