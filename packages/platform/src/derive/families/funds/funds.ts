import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';

/**
 * Funds that the platform credited to a player's wallet, as last reported by the intent: the row of live.funds.
 *
 * An intent numbers its reports (`revision`): credited, not credited after all, credited again. The highest revision is
 * in force, whatever the order of arrival. If two events had the same revision, which the platform never writes,
 * docs/reference/decisions.md 2.3 would decide. One comparison decides which of two rows is in force, so the result is
 * a function of the set of events.
 */
export interface Funds {
  player_id: number;
  intent_id: string;
  revision: number;
  fingerprint: string;
  /** False after a Rollback: then it counts in no total. */
  counted: boolean;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  bonus_code: string | null;
}

export function fundsOf(source: DerivedEvent<'funds_credited'>): Funds {
  const { player_id, event, settings } = source;
  const { intent_id, revision, status, timestamp: at, amount, currency, exchange_rate, bonus_code = null } = event;
  return {
    player_id,
    intent_id,
    revision,
    fingerprint: fingerprintOf(source),
    counted: status === 'Approved',
    at,
    day: dayOf(settings.time_zone, at),
    amount,
    currency,
    exchange_rate,
    base_amount: inBase(amount, exchange_rate),
    bonus_code,
  };
}

export function takesPrecedence(a: Funds, b: Funds): boolean {
  if (a.revision !== b.revision) return a.revision > b.revision;
  return a.at < b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}

export function classify(funds: Funds, held: Funds): Verdict {
  if (funds.revision !== held.revision) return 'applied';
  return funds.fingerprint === held.fingerprint ? 'repeat' : 'conflict';
}

/** Funds count at the time they were credited, as a bonus cost (docs/reference/decisions.md 3). */
export function partsOf(funds: Funds | undefined): Part[] {
  if (funds === undefined || !funds.counted) return [];
  const { player_id, at, day, base_amount } = funds;
  return [
    {
      player_id,
      at,
      day,
      counts: { funds_credited_count: 1 },
      sums: { funds_credited_sum: base_amount },
      dated: ['funds_credited'],
    },
  ];
}
