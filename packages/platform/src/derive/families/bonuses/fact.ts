import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import { type BonusEvent, bonusEvent, type CrmReferences, settle } from './bonus.ts';

/** A bonus as stored and listed: the row of live.bonus. Amounts named `base_` are in the brand's base currency. */
export interface Bonus {
  player_id: number;
  user_bonus_id: string;
  bonus_id: string;
  bonus_code: string | null;
  product: string;
  type: string;
  status: string;
  /** When the status was reached, and the brand's day of that time. */
  status_at: Micros;
  status_day: string;
  granted: boolean;
  /** When it was granted. */
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  base_turned_real: DecimalText;
  /** Null if no amount turned real. */
  turned_real_at: Micros | null;
  turned_real_day: string | null;
  /** Null if no event contained it. */
  base_locked_amount: DecimalText | null;
  base_required_wagering: DecimalText | null;
  expires_at: Micros | null;
  crm_references: CrmReferences | null;
  origin: string;
  conflicts: number;
  events: readonly BonusEvent[];
}

export type BonusKey = 'player_id' | 'user_bonus_id';

/** What an event says about its bonus. */
export interface BonusSaid extends Pick<Bonus, BonusKey> {
  event: BonusEvent;
}

export function bonusSaid(source: DerivedEvent<'bonus'>): BonusSaid {
  const { player_id, event, settings } = source;
  const said = bonusEvent(event, fingerprintOf(source), settings.time_zone);
  return { player_id, user_bonus_id: event.user_bonus_id, event: said };
}

/** Makes the fact from the versions of a bonus's events. */
export function bonusFact(
  { player_id, user_bonus_id }: Pick<Bonus, BonusKey>,
  events: readonly BonusEvent[],
  timeZone: string,
): Bonus {
  const settled = settle(events);
  const { state, turned_real, locked, required_wagering } = settled;
  const turned = inBaseOf(turned_real, turned_real?.bonus_turned_real) ?? '0';
  const turnedAt = turned === '0' ? null : (settled.turned_real_at ?? null);
  return {
    player_id,
    user_bonus_id,
    bonus_id: state.bonus_id,
    bonus_code: settled.bonus_code ?? null,
    product: state.product,
    type: state.type,
    status: state.status,
    status_at: settled.reached_at,
    status_day: dayOf(timeZone, settled.reached_at),
    granted: settled.granted,
    at: settled.granted_at,
    day: dayOf(timeZone, settled.granted_at),
    amount: state.amount,
    currency: state.currency,
    exchange_rate: state.exchange_rate,
    base_amount: inBase(state.amount, state.exchange_rate),
    base_turned_real: turned,
    turned_real_at: turnedAt,
    turned_real_day: turnedAt === null ? null : dayOf(timeZone, turnedAt),
    base_locked_amount: inBaseOf(locked, locked?.locked_amount),
    base_required_wagering: inBaseOf(required_wagering, required_wagering?.required_wagering_amount),
    expires_at: settled.expires_at ?? null,
    crm_references: settled.crm_references ?? null,
    origin: state.origin,
    conflicts: settled.conflicts,
    events,
  };
}

/** Converts an amount of an event at that event's own rate. */
function inBaseOf(event: BonusEvent | undefined, amount: DecimalText | undefined): DecimalText | null {
  return event === undefined || amount === undefined ? null : inBase(amount, event.exchange_rate);
}

/**
 * What a bonus adds to the totals of its player. While it is Reversed: nothing. Otherwise the grant, the amount turned
 * real and the end, each at its own time.
 */
export function partsOf(bonus: Bonus | undefined): Part[] {
  if (bonus === undefined || !bonus.granted) return [];
  const { player_id, base_amount, base_turned_real, turned_real_at, turned_real_day, status } = bonus;
  const by = { product: bonus.product };
  const ended = { player_id, at: bonus.status_at, day: bonus.status_day, by };
  const parts: Part[] = [
    {
      player_id,
      at: bonus.at,
      day: bonus.day,
      by,
      counts: { granted_count: 1 },
      sums: { granted_sum: base_amount },
      dated: ['granted'],
    },
  ];
  if (turned_real_at !== null && turned_real_day !== null) {
    parts.push({
      player_id,
      at: turned_real_at,
      day: turned_real_day,
      by,
      counts: { turned_real_count: 1 },
      sums: { turned_real_sum: base_turned_real },
    });
  }
  if (status === 'Forfeited')
    parts.push({ ...ended, counts: { forfeited_count: 1 }, sums: { forfeited_sum: base_amount } });
  if (status === 'Expired') parts.push({ ...ended, counts: { expired_count: 1 } });
  return parts;
}
