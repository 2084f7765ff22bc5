import { type DecimalText, dayOf, type EventOf } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { allReal, betParts, type MoneyParts, winParts } from '../../money.ts';
import type { Version } from '../../versions.ts';

/*
 * An activity is one Bet, Win or Loss of a round, Approved or taken back by a Rollback (docs/reference/decisions.md 2.3, 2.4, 2.6).
 *
 *              another version of its key stands
 *   in_force ------------------------------------> superseded      Approved and Rollback alike
 *      |
 *      | a Rollback of its identity stands (or, by setting, of its type in its round)
 *      v
 *   rolled_back                                                    Approved only
 *
 *   orphan <--> in_force                                           a Rollback that takes out nothing, or something
 *
 * Arrows go both ways as events arrive: which state an activity is in follows from the set of events. It is stored with the
 * activity, because the events that decide it may lie in other rounds; a batch resolves those again that it can have changed.
 */
export type Resolution = 'in_force' | 'rolled_back' | 'superseded' | 'orphan';

/** Immutable: another resolution makes another object, so an unchanged activity is known by its identity. */
export interface Activity extends Version, Readonly<MoneyParts> {
  readonly activity_id: string;
  readonly type: EventOf<'casino'>['type'];
  readonly status: EventOf<'casino'>['status'];
  readonly resolution: Resolution;
  /** YYYY-MM-DD of its timestamp in the brand's time zone. */
  readonly day: string;
  /** In its currency, as `real`, `bonus` and `locked` are, which add up to it; a Loss moves none of it. */
  readonly amount: DecimalText;
  readonly currency: string;
  readonly exchange_rate: DecimalText;
  readonly is_round_end: boolean;
  readonly origin: string;
}

/**
 * What it counts as; undefined for one that counts as neither. A Loss and a Win of 0 move no money: operators close a lost round
 * with either, and a loss is no win (docs/decisions/0712). A Bet of 0 was played: it counts.
 */
export function countedAs({ resolution, status, type, amount }: Activity): 'bet' | 'win' | undefined {
  if (resolution !== 'in_force' || status !== 'Approved') return undefined;
  if (type === 'Bet') return 'bet';
  return type === 'Win' && amount !== '0' ? 'win' : undefined;
}

/** Repeats are versions with the same money; others are conflicts. How the money is split makes no difference. */
export function sameMoney(a: Activity, b: Activity): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

/** An activity as it comes, before it is known what others of its player make of it. */
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
