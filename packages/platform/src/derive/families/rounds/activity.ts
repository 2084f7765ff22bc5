import { type DecimalText, dayOf, type EventOf } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { allReal, betParts, type MoneyParts, winParts } from '../../money.ts';
import type { Version } from '../../versions.ts';

/*
 * An activity is one Bet, Win or Loss of a round, either Approved or cancelled by a Rollback
 * (docs/reference/decisions.md 2.3, 2.4, 2.6).
 *
 *              another version of its key is in force
 *   in_force ------------------------------------> superseded      Approved and Rollback alike
 *      |
 *      | a Rollback of its identity is in force (or, by setting, of its type in its round)
 *      v
 *   rolled_back                                                    Approved only
 *
 *   orphan <--> in_force                                           Rollback only: an orphan cancels nothing
 *
 * Events can move an activity in both directions: its state follows from the set of events. The state is stored with
 * the activity, because the events that decide it may be in other rounds. A batch computes it again for the activities
 * that it may have changed.
 */
export type Resolution = 'in_force' | 'rolled_back' | 'superseded' | 'orphan';

/** Immutable: a new resolution makes a new object, so code can detect unchanged activities by object identity. */
export interface Activity extends Version, Readonly<MoneyParts> {
  readonly activity_id: string;
  readonly type: EventOf<'casino'>['type'];
  readonly status: EventOf<'casino'>['status'];
  readonly resolution: Resolution;
  /** YYYY-MM-DD of its timestamp in the brand's time zone. */
  readonly day: string;
  /**
   * In its currency. `real`, `bonus` and `locked` are in that currency, too, and add up to it. The amount of
   * a Loss moves no money.
   */
  readonly amount: DecimalText;
  readonly currency: string;
  readonly exchange_rate: DecimalText;
  readonly is_round_end: boolean;
  readonly origin: string;
}

/**
 * Returns whether the activity counts as a bet or as a win, or undefined if it counts as neither. A Loss or a Win of 0
 * does not count: operators close a lost round with either, and a loss is not a win (docs/decisions/0712). A Bet of 0
 * counts, because it was played.
 */
export function countedAs({ resolution, status, type, amount }: Activity): 'bet' | 'win' | undefined {
  if (resolution !== 'in_force' || status !== 'Approved') return undefined;
  if (type === 'Bet') return 'bet';
  return type === 'Win' && amount !== '0' ? 'win' : undefined;
}

/** Versions with the same money are repeats, others are conflicts. How the money is split does not matter. */
export function sameMoney(a: Activity, b: Activity): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

/** An activity as it arrives, before other events of its player are considered. */
export function activityOf(source: DerivedEvent<'casino'>): Activity {
  const { event, settings } = source;
  const { activity_id, type, status, timestamp, amount, currency, exchange_rate, is_round_end, origin } = event;
  const { real, bonus, locked } = type === 'Bet' ? betParts(event) : type === 'Win' ? winParts(event) : allReal(amount);
  return {
    activity_id,
    type,
    status,
    resolution: status === 'Approved' ? 'in_force' : 'orphan',
    timestamp,
    day: dayOf(settings.time_zone, timestamp),
    fingerprint: fingerprintOf(source),
    amount,
    real,
    bonus,
    locked,
    currency,
    exchange_rate,
    is_round_end,
    origin,
  };
}
