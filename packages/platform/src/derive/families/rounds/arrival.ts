import type { EventKind } from '@croupier/contracts';
import type { BrandSettings } from '../../../brands/index.ts';
import { type DerivedEvent, eventsOf } from '../../event.ts';
import { type Activity, activityOf } from './activity.ts';
import { hashOf, type KeyRule, keyRuleOf, type RoundIds, roundName } from './keys.ts';
import { messageOf, type RoundMessage } from './message.ts';

/** An event to be added to a round. */
export type Arrival = ArrivingActivity | ArrivingMessage;

interface Arriving {
  source: DerivedEvent;
  ids: RoundIds;
  /** `roundName` of the ids. */
  name: string;
  round_key: number;
}

export interface ArrivingActivity extends Arriving {
  activity: Activity;
  key: string;
  lookups: readonly number[];
}

export interface ArrivingMessage extends Arriving {
  message: RoundMessage;
}

/** The events of a batch for one player. */
export interface PlayerBatch {
  player_id: number;
  brand_id: number;
  settings: BrandSettings;
  rule: KeyRule;
  arrivals: Arrival[];
}

/** Groups events by player. Events of an endpoint that makes no rounds (setting rounds_from) are left out. */
export function playerBatches(events: readonly DerivedEvent[]): PlayerBatch[] {
  const batches = new Map<number, PlayerBatch>();
  const rules = new Map<BrandSettings, KeyRule>();
  for (const event of eventsOf(events, ['casino', 'gameround'])) {
    const { player_id, brand_id, settings } = event;
    if (!makesRounds(event.event.kind, settings)) continue;
    const rule = rules.get(settings) ?? keyRuleOf(settings);
    rules.set(settings, rule);
    const batch = batches.get(player_id) ?? { player_id, brand_id, settings, rule, arrivals: [] };
    if (batch.arrivals.length === 0) batches.set(player_id, batch);
    batch.arrivals.push(arrivalOf(event, rule));
  }
  return [...batches.values()];
}

function makesRounds(kind: EventKind, { rounds_from }: BrandSettings): boolean {
  return rounds_from === 'auto' || rounds_from === kind;
}

export function arrivalOf(source: DerivedEvent<'casino' | 'gameround'>, rule: KeyRule): Arrival {
  const { vendor_id, game_id, round_id } = source.event;
  const ids: RoundIds = { vendor_id, game_id, round_id };
  const name = roundName(ids);
  const place = { source, ids, name, round_key: hashOf(name) };
  if (source.event.kind === 'gameround') {
    return { ...place, message: messageOf(source as DerivedEvent<'gameround'>) };
  }
  const activity = activityOf(source as DerivedEvent<'casino'>);
  return { ...place, activity, key: rule.key(ids, activity), lookups: rule.lookups(ids, activity) };
}
