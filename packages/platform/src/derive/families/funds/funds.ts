import { type DecimalText, dayOf, type EventOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';

/**
 * Funds that the platform had credited to a player's wallet, as the intent last told: the row of live.funds.
 *
 * An intent numbers what it tells (`revision`): credited, not credited after all, credited once more. The highest revision holds,
 * whatever came first; of two events under one revision, which no platform writes, the one that stands by decisions.md 2.3. One
 * comparison tells which of two rows holds, so the result is a function of the set of events.
 */
export interface Funds {
  player_id: number;
  intent_id: string;
  revision: number;
  fingerprint: string;
  /** False after a Rollback: part of no total. */
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

export interface FundsChange {
  brand_id: number;
  before: Funds | undefined;
  after: Funds;
}

export interface Arrival {
  source: DerivedEvent<'funds_credited'>;
  funds: Funds;
}

export function arrivalOf(source: DerivedEvent<'funds_credited'>): Arrival {
  const { player_id, event, settings } = source;
  return { source, funds: fundsOf(player_id, event, fingerprintOf(source), settings.time_zone) };
}

function fundsOf(player_id: number, event: EventOf<'funds_credited'>, fingerprint: string, timeZone: string): Funds {
  const { intent_id, revision, status, timestamp: at, amount, currency, exchange_rate, bonus_code = null } = event;
  const base_amount = inBase(amount, exchange_rate);
  const day = dayOf(timeZone, at);
  const counted = status === 'Approved';
  return {
    ...{ player_id, intent_id, revision, fingerprint, counted, at, day },
    ...{ amount, currency, exchange_rate, base_amount, bonus_code },
  };
}

export function nameOf({ player_id, intent_id }: Pick<Funds, 'player_id' | 'intent_id'>): string {
  return `${player_id}:${intent_id}`;
}

/** Applies a batch to the funds held, by `nameOf`. Pure. */
export function decide(
  held: ReadonlyMap<string, Funds>,
  arrivals: readonly Arrival[],
): { changes: FundsChange[]; verdicts: Map<DerivedEvent, Verdict> } {
  const changed = new Map<string, { brand_id: number; after: Funds }>();
  const verdicts = new Map<DerivedEvent, Verdict>();
  for (const { source, funds } of arrivals) {
    const name = nameOf(funds);
    const before = changed.get(name)?.after ?? held.get(name);
    if (before?.revision === funds.revision) {
      verdicts.set(source, before.fingerprint === funds.fingerprint ? 'repeat' : 'conflict');
    }
    if (before === undefined || stands(funds, before)) changed.set(name, { brand_id: source.brand_id, after: funds });
  }
  return { changes: [...changed].map(([name, change]) => ({ ...change, before: held.get(name) })), verdicts };
}

function stands(a: Funds, b: Funds): boolean {
  if (a.revision !== b.revision) return a.revision > b.revision;
  return a.at < b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}

/** They count when they were credited: bonus cost of that moment (decisions.md 3). */
export function partsOf(funds: Funds | undefined): Part[] {
  if (funds === undefined || !funds.counted) return [];
  const { player_id, at, day, base_amount } = funds;
  return [
    {
      ...{ player_id, at, day },
      counts: { funds_credited_count: 1 },
      sums: { funds_credited_sum: base_amount },
      dated: ['funds_credited'],
    },
  ];
}
